import { parseInstant } from "@interlude/contract";
import { foldConversation } from "@interlude/domain";
import type { ConversationStore, StoredConversationEntry, ThreadAddress } from "@interlude/event-log";

export type ConversationPurgeDeps = {
  /** Events of any conversation from before `beforeMs`, oldest first. */
  past: AsyncIterable<Pick<StoredConversationEntry, "address">>;
  conversations: Pick<ConversationStore, "read" | "forget">;
  beforeMs: number;
  shouldStop: () => boolean;
};

/**
 * Forgets conversations in which nothing has happened since `beforeMs` and nothing is to happen: no question that may
 * still be answered, no reply that is due.
 */
export async function purgeConversations(deps: ConversationPurgeDeps): Promise<number> {
  const looked = new Set<string>();
  let purged = 0;
  for await (const { address } of deps.past) {
    if (deps.shouldStop()) return purged;
    const name = `${address.channel} ${address.partition} ${address.thread}`;
    if (looked.has(name)) continue;
    looked.add(name);
    if (await purgeOne(deps, address)) purged += 1;
  }
  return purged;
}

async function purgeOne(deps: ConversationPurgeDeps, address: ThreadAddress): Promise<boolean> {
  const { entries, position } = await deps.conversations.read(address);
  if (!isOver(deps, entries)) return false;
  const types = new Set(entries.flatMap(({ entry }) => ("type" in entry ? [entry.type] : [])));
  // What has come to its end keeps that for as long as its beginning stands: cut off, nothing looks open again.
  const ordered = [...types].sort((one, other) => Number(one === "closed") - Number(other === "closed"));
  for (const type of ordered) await deps.conversations.forget(address, type, position);
  return true;
}

function isOver({ beforeMs }: ConversationPurgeDeps, entries: readonly StoredConversationEntry[]): boolean {
  if (entries.some(({ entry, storedAtMs }) => "unknownType" in entry || storedAtMs >= beforeMs)) return false;
  const events = entries.flatMap(({ entry }) => ("type" in entry ? [entry] : []));
  const { open } = foldConversation(events);
  // A question that is past its deadline is over, whether or not anybody was there to say so.
  const isWaiting = events.some(
    ({ type, data }) =>
      type === "queued" &&
      open.includes(data.interaction_id) &&
      (parseInstant(data.deadline_at) ?? 0) >= beforeMs,
  );
  const posted = new Set(events.flatMap(({ type, data }) => (type === "posted" ? [data.cause] : [])));
  const isDue = events.some(({ type, data }) => type === "reply_due" && !posted.has(data.cause));
  return !isWaiting && !isDue;
}
