import { z } from "zod";

const TurnMedia = z.object({
  kind: z.string(),
  /** The provider's own id of the file, where it gives no address. */
  id: z.string().exactOptional(),
  url: z.string().exactOptional(),
  content_type: z.string().exactOptional(),
});

/** The label under which the content of a turn is sealed. */
export const TURN_LABEL = "turn";

/** What a person said, and where: what a turn seals. */
export const TurnContentSchema = z.object({
  /** The conversation, as its channel writes it. */
  address: z.string(),
  /** The provider's id of the person. */
  from: z.string(),
  text: z.string(),
  /** When, as the provider says where it does. */
  at: z.string(),
  params: z.record(z.string(), z.string()).exactOptional(),
  media: z.array(TurnMedia).exactOptional(),
  /** The message that replies go to, where several people talk. */
  reply_to: z.string().exactOptional(),
});
export type TurnContent = z.infer<typeof TurnContentSchema>;
