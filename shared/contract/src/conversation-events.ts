import { z } from "zod";

/** One person's or group's chat on a channel; who it is with stands in no subject and no event. */
const Conversation = { channel: z.string(), thread: z.string(), at: z.string() };

const SCHEMAS = {
  /** A question waits for its turn, until its own deadline. */
  queued: z.object({ ...Conversation, interaction_id: z.string(), deadline_at: z.string() }),
  /** It is over, and gives up its place. */
  closed: z.object({ ...Conversation, interaction_id: z.string() }),
  /** The provider calls this conversation by another address: that one's place, and its address sealed. */
  aliased: z.object({
    ...Conversation,
    partition: z.number().int().nonnegative(),
    to: z.string(),
    sealed: z.string(),
  }),
  /** What a run's answer says to the person; `cause` is what it is stored once for. */
  reply_due: z.object({
    ...Conversation,
    cause: z.string(),
    driver: z.string(),
    run_id: z.string(),
    park_id: z.string(),
    sealed: z.string(),
  }),
  /**
   * A message of it is being sent: of two workers one does, and who comes after knows that it may be out. `message_ids`
   * are those of the messages before it, which are.
   */
  posting: z.object({
    ...Conversation,
    cause: z.string(),
    attempt: z.number(),
    worker: z.string(),
    message_ids: z.array(z.string()).optional(),
  }),
  /** What was begun last has not left: it counts as if it had not been begun. */
  not_posted: z.object({ ...Conversation, cause: z.string(), reason: z.string() }),
  /** What was due by `cause` is out, or given up with the reason. */
  posted: z.object({
    ...Conversation,
    cause: z.string(),
    message_ids: z.array(z.string()),
    failed: z.string().optional(),
  }),
} as const;

export type ConversationEventType = keyof typeof SCHEMAS;

export type ConversationEvent = {
  [Type in ConversationEventType]: { type: Type; data: z.infer<(typeof SCHEMAS)[Type]> };
}[ConversationEventType];

export const CONVERSATION_EVENT_TYPES = Object.keys(SCHEMAS).filter(isEventType);

function isEventType(name: string): name is ConversationEventType {
  return name in SCHEMAS;
}

/** CloudEvents `type` of a conversation's event, e.g. `interlude.conversation.queued.v1`. */
export function conversationCeType(type: ConversationEventType): string {
  return `interlude.conversation.${type}.v1`;
}

/**
 * Reads a stored event; `undefined`: a type or version this process does not know.
 * @throws ZodError when the data is not what its type promises.
 */
export function parseConversationEvent(ceType: string, data: unknown): ConversationEvent | undefined {
  switch (ceType) {
    case "interlude.conversation.queued.v1":
      return { type: "queued", data: SCHEMAS.queued.parse(data) };
    case "interlude.conversation.closed.v1":
      return { type: "closed", data: SCHEMAS.closed.parse(data) };
    case "interlude.conversation.aliased.v1":
      return { type: "aliased", data: SCHEMAS.aliased.parse(data) };
    case "interlude.conversation.reply_due.v1":
      return { type: "reply_due", data: SCHEMAS.reply_due.parse(data) };
    case "interlude.conversation.posting.v1":
      return { type: "posting", data: SCHEMAS.posting.parse(data) };
    case "interlude.conversation.not_posted.v1":
      return { type: "not_posted", data: SCHEMAS.not_posted.parse(data) };
    case "interlude.conversation.posted.v1":
      return { type: "posted", data: SCHEMAS.posted.parse(data) };
    default:
      return undefined;
  }
}
