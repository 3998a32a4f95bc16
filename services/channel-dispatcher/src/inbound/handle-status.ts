import type { InboundUpdate } from "@interlude/contract";
import { handleCommand, type InteractionStore, type MessageIndex } from "@interlude/event-log";
import type { Clock } from "@interlude/kernel";

export type StatusDeps = Readonly<{ store: InteractionStore; messages: MessageIndex; clock: Clock }>;

type Status = Extract<InboundUpdate, { kind: "status" }>;

/**
 * What a provider says of a message later. `unknown`: no question is known for it, or not yet. Its final failure
 * ends the question.
 */
export async function handleStatus(
  { store, messages, clock }: StatusDeps,
  channel: string,
  { messageId, status, code }: Status,
): Promise<"done" | "unknown"> {
  const id = await messages.find(channel, messageId);
  if (id === undefined) return "unknown";
  const nowMs = (): number => clock.nowMs();
  const report = {
    ...({ type: "ReportDelivery", messageId, status, nowMs: nowMs() } as const),
    ...(code === undefined ? {} : { code }),
  };
  const reported = await handleCommand(store, id, report, nowMs);
  const isUnknown = !reported.ok && "refusal" in reported && reported.refusal.code === "undeliverable";
  if (isUnknown && reported.refusal.code === "undeliverable" && reported.refusal.reason === "unknown_message")
    return "unknown";
  if (status !== "failed") return "done";
  const reason =
    code === undefined ? "the provider could not deliver it" : `the provider could not deliver it: ${code}`;
  await handleCommand(store, id, { type: "Fail", reason, delivery: true, nowMs: nowMs() }, nowMs);
  return "done";
}
