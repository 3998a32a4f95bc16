import type { JsonObject } from "@interlude/kernel";
import { z } from "zod";

const Acknowledge: z.ZodType<JsonObject> = z.record(z.string(), z.json());

const InboundMedia = z.object({
  kind: z.string(),
  id: z.string().exactOptional(),
  url: z.string().exactOptional(),
  contentType: z.string().exactOptional(),
});

const SubmittedField = z.union([
  z.object({ place: z.number(), text: z.string() }),
  z.object({ place: z.number(), choice: z.number() }),
]);

const Seen = {
  updateId: z.string(),
  address: z.string(),
  from: z.string(),
  atMs: z.number().exactOptional(),
};

/** Which step of a form of several was sent, and where what was put into the others is kept. */
const SubmittedStep = z.object({
  page: z.number(),
  of: z.number(),
  /** The place of the step's first field. */
  first: z.number(),
  /** By page, the id of the update that holds what was put into it; empty where nothing was. */
  kept: z.array(z.string()),
  /** There where the person goes back: what the provider wants to show the step before. */
  back: Acknowledge.exactOptional(),
});

/** What came over a channel, as the channel read it. */
export const InboundUpdate = z.discriminatedUnion("kind", [
  z.object({
    ...Seen,
    kind: z.literal("message"),
    messageId: z.string(),
    text: z.string().exactOptional(),
    media: z.array(InboundMedia).exactOptional(),
    replyTo: z.string().exactOptional(),
    isDirect: z.boolean(),
    /** What came with the words and is none of them, as what a template's button stands for. */
    params: z.record(z.string(), z.string()).exactOptional(),
    /** It was put into a form that nobody waits for, and so is to no question. */
    ofForm: z.literal(true).exactOptional(),
  }),
  z.object({
    ...Seen,
    kind: z.literal("tap"),
    messageId: z.string(),
    reference: z.string(),
    choice: z.string(),
    isDirect: z.boolean().exactOptional(),
    acknowledge: Acknowledge.exactOptional(),
  }),
  z.object({
    ...Seen,
    kind: z.literal("submission"),
    reference: z.string(),
    fields: z.array(SubmittedField),
    step: SubmittedStep.exactOptional(),
    /** The opened form that it is of: what is sent twice from there is one submission. */
    view: z.string().exactOptional(),
  }),
  z.object({
    kind: z.literal("status"),
    updateId: z.string(),
    messageId: z.string(),
    status: z.enum(["sent", "delivered", "read", "failed"]),
    code: z.string().exactOptional(),
    needsOpener: z.boolean().exactOptional(),
    atMs: z.number().exactOptional(),
  }),
  z.object({ kind: z.literal("ignored"), updateId: z.string().exactOptional(), reason: z.string() }),
]);
export type InboundUpdate = z.infer<typeof InboundUpdate>;

/**
 * An update as it is kept: what a person wrote is sealed, and the key of one that carried a sensitive answer goes
 * with it.
 */
export const InboundReceivedData = z.object({
  channel: z.string(),
  kind: z.enum(["message", "tap", "submission", "status", "ignored"]),
  update_id: z.string(),
  /** The token of the conversation; a status report has none. */
  thread: z.string().optional(),
  /** Exactly one of `update` and `sealed`, which is the JSON of one. */
  update: InboundUpdate.optional(),
  sealed: z.string().optional(),
  received_at: z.string(),
});
export type InboundReceivedData = z.infer<typeof InboundReceivedData>;

/** CloudEvents `type` of an update that came over a channel. */
export const INBOUND_RECEIVED = "interlude.inbound.received.v1";

/**
 * Reads a stored update; `undefined`: a type or version this process does not know.
 * @throws ZodError when the data is not what its type promises.
 */
export function parseInboundReceived(ceType: string, data: unknown): InboundReceivedData | undefined {
  return ceType === INBOUND_RECEIVED ? InboundReceivedData.parse(data) : undefined;
}
