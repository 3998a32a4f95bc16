import { type AskedData, formatInstant, type InteractionEvent } from "@interlude/contract";
import { addressOfAsked, type createInteractionStore, type InteractionStore } from "@interlude/event-log";

export const DAY_MS = 86_400_000;

/** Appends a question, or the end of one, and answers its sequence. */
export function writerOf(store: InteractionStore) {
  async function append(event: InteractionEvent, position: number): Promise<number> {
    const address = addressOfAsked({ interaction_id: event.data.interaction_id });
    const outcome = await store.append(event, address, position, {
      eventId: crypto.randomUUID(),
      nowMs: Date.now(),
    });
    if (outcome.status !== "appended") throw new Error(outcome.status);
    return outcome.sequence;
  }
  return {
    ask(id: string, more: Partial<AskedData> = {}): Promise<number> {
      return append({ type: "asked", data: askedData(id, more) }, 0);
    },
    async deliver(id: string, channel: string, messageIds: string[]): Promise<number> {
      const { position } = await store.read(id);
      const belonging = { interaction_id: id, group_id: `g-${id}`, asker: "flow", mode: "sync" as const };
      const sent = { channel, attempt: 1, address: "+15550001001", message_ids: messageIds };
      const data = { ...belonging, ...sent, at: formatInstant(Date.now()), controls: [], shape: "text" };
      return append({ type: "delivered", data }, position);
    },
    async answer(id: string, more: Partial<AskedData> = {}): Promise<number> {
      const { position } = await store.read(id);
      const { mode = "sync" } = more;
      const data = {
        interaction_id: id,
        group_id: `g-${id}`,
        asker: "flow",
        mode,
        at: formatInstant(Date.now()),
        answer: "yes",
        answered_by: "ann",
        via: "door" as const,
      };
      return append({ type: "answered", data }, position);
    },
  };
}

export type Writer = ReturnType<typeof writerOf>;
export type Store = ReturnType<typeof createInteractionStore>;

function askedData(id: string, more: Partial<AskedData>): AskedData {
  return {
    interaction_id: id,
    asker: "flow",
    group_id: `g-${id}`,
    question: `Question ${id}?`,
    answer_format: "text",
    format_payload: {},
    mode: "sync",
    created_at: formatInstant(Date.now()),
    timeout_at: formatInstant(Date.now() + 3_600_000),
    sensitive: false,
    fingerprint: "f",
    ...more,
  };
}
