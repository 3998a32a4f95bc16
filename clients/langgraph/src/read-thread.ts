import { derivedId } from "@interlude/sdk";
import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph";
import type { StoredAsk } from "./asks.ts";
import { asksIn } from "./payload.ts";

/** An interrupt that waits for a person's answers through Interlude. */
export type PendingAsks = Readonly<{
  interruptId: string;
  asks: readonly (StoredAsk & { readonly id: string })[];
  /** An attempt has begun to hand it its answers, and did not come to the end of the step. */
  isBegun: boolean;
}>;

/** Another interrupt: somebody else's to resume. */
export type OtherInterrupt = Readonly<{ id: string | undefined; value: unknown }>;

/** What a thread waits for, as its newest checkpoint says. */
export type Waiting = Readonly<{ pending: readonly PendingAsks[]; others: readonly OtherInterrupt[] }>;

/** Whose questions they are: the same thread may be driven under another name, and asks anew then. */
export type ThreadName = Readonly<{ driver: string; threadId: string }>;

type Write = Readonly<{ task: string; channel: string; value: unknown }>;

const NOT_AN_OUTPUT = ["__error__", "__error_source_node__", "__interrupt__", "__resume__"];

/** The checkpoint that a run of the thread would go on from; nested graphs report to it. */
export function readHead(saver: BaseCheckpointSaver, threadId: string): Promise<CheckpointTuple | undefined> {
  return saver.getTuple({ configurable: { thread_id: threadId, checkpoint_ns: "" } });
}

/**
 * Every interrupt of the step, of parallel branches and nested graphs alike, and not only the ones that the last
 * invocation reported: those of a flow's parallel tasks come one at a time there.
 */
export async function waitingOf(thread: ThreadName, head: CheckpointTuple | undefined): Promise<Waiting> {
  if (head === undefined) return { pending: [], others: [] };
  const writes = writesOf(head);
  const finished = new Set(
    writes.filter(({ channel }) => !NOT_AN_OUTPUT.includes(channel)).map(({ task }) => task),
  );
  const begun = begunIn(writes);
  const pending = new Map<string, PendingAsks>();
  const others: OtherInterrupt[] = [];
  for (const { id, value } of interruptsIn(writes.filter(({ task }) => !finished.has(task)))) {
    const asks = asksIn(value);
    if (asks === undefined || id === undefined) others.push({ id, value });
    else if (!pending.has(id)) {
      const ids = await idsOf(thread, head, id, asks.length);
      const named = asks.map((ask, place) => ({ ...ask, id: ids[place] ?? "" }));
      pending.set(id, { interruptId: id, asks: named, isBegun: begun.has(id) });
    }
  }
  return { pending: [...pending.values()], others };
}

/** Whether questions with these ids were asked at this checkpoint, answered since or not. */
export async function hasAsked(
  thread: ThreadName,
  at: CheckpointTuple,
  ids: ReadonlySet<string>,
): Promise<boolean> {
  const writes = writesOf(at);
  const interruptIds = new Set([...begunIn(writes), ...interruptsIn(writes).map(({ id }) => id)]);
  for (const interruptId of interruptIds) {
    if (interruptId === undefined) continue;
    const [first] = await idsOf(thread, at, interruptId, 1);
    if (first !== undefined && ids.has(first)) return true;
  }
  return false;
}

/** The same whenever the same interrupt is read, so that asking again after a crash is no second question. */
function idsOf(
  { driver, threadId }: ThreadName,
  { checkpoint }: CheckpointTuple,
  interruptId: string,
  count: number,
): Promise<string[]> {
  const places = Array.from({ length: count }, (_, place) => place);
  return Promise.all(
    places.map((place) => derivedId("langgraph", driver, threadId, checkpoint.id, interruptId, place)),
  );
}

function writesOf({ pendingWrites }: CheckpointTuple): Write[] {
  return (pendingWrites ?? []).map(([task, channel, value]) => ({ task, channel, value: value }));
}

/** LangGraph keeps what an interrupt is resumed with under the interrupt's id, before it runs anything. */
function begunIn(writes: readonly Write[]): Set<string> {
  return new Set(writes.filter(({ channel }) => channel === "__resume__").map(({ task }) => task));
}

function interruptsIn(writes: readonly Write[]): OtherInterrupt[] {
  const values = writes.filter(({ channel }) => channel === "__interrupt__").flatMap(({ value }) => value);
  return values.flatMap((entry) => {
    if (typeof entry !== "object" || entry === null || !("value" in entry)) return [];
    const id = "id" in entry && typeof entry.id === "string" ? entry.id : undefined;
    return [{ id, value: entry.value }];
  });
}
