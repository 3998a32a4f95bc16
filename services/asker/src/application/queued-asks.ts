import { isDeliveryEvent } from "@interlude/contract";
import { deadlineMs } from "@interlude/domain";
import type { StoredEntry } from "@interlude/event-log";

/** Which questions wait for a person, by the read model, as of a position in the log. */
export type QueueSnapshot = { ids: readonly string[]; sequence: number };

/** `undefined` while it is away: a cap never refuses because a counter is. */
export type QueueSource = (channel: string, address: string) => Promise<QueueSnapshot | undefined>;

/** Counts the questions that wait for one person: by the read model, what the log has told since, what is on its way. */
export interface QueuedAsks {
  observe(stored: StoredEntry): void;
  /** Takes a place under `cap`; `false` when there is none. Released by `giveBack`, or by the question's event. */
  reserve(place: QueuePlace, id: string, cap: number): Promise<boolean>;
  giveBack(place: QueuePlace, id: string): void;
}

export type QueuePlace = { channel: string; address: string };

type Queue = {
  snapshot: QueueSnapshot;
  takenAtMs: number;
  usedAtMs: number;
  /** Asked since, with the end by the clock. */
  asked: Map<string, { sequence: number; deadlineMs: number }>;
  reserved: Set<string>;
};

const FRESH_FOR_MS = 10_000;
const WAIT_FOR_COUNT_MS = 250;
const MAX_QUEUES = 10_000;
/** Ends that a snapshot may not have seen yet. */
const MAX_ENDS = 20_000;

export function createQueuedAsks(source: QueueSource, clock: { nowMs(): number }): QueuedAsks {
  const queues = new Map<string, Queue>();
  const ends = new Map<string, number>();

  function queueAt({ channel, address }: QueuePlace): Queue {
    const key = `${channel}\n${address}`;
    const known = queues.get(key);
    const queue = known ?? {
      snapshot: { ids: [], sequence: 0 },
      takenAtMs: -Infinity,
      usedAtMs: 0,
      asked: new Map(),
      reserved: new Set(),
    };
    queue.usedAtMs = performance.now();
    if (known === undefined) {
      queues.set(key, queue);
      dropIdle();
    }
    return queue;
  }

  function dropIdle(): void {
    if (queues.size <= MAX_QUEUES) return;
    for (const [key, { reserved }] of queues) {
      if (reserved.size === 0) {
        queues.delete(key);
        return;
      }
    }
  }

  async function refresh(queue: Queue, { channel, address }: QueuePlace): Promise<void> {
    if (performance.now() - queue.takenAtMs < FRESH_FOR_MS) return;
    queue.takenAtMs = performance.now();
    const taken = source(channel, address).then((snapshot) => {
      if (snapshot === undefined || snapshot.sequence < queue.snapshot.sequence) return;
      queue.snapshot = snapshot;
      for (const [id, { sequence }] of queue.asked) {
        if (sequence <= snapshot.sequence) queue.asked.delete(id);
      }
    });
    await atMost(WAIT_FOR_COUNT_MS, taken);
  }

  function waiting({ snapshot, asked, reserved }: Queue): number {
    const nowMs = clock.nowMs();
    const isOpen = (id: string) => (ends.get(id) ?? 0) <= snapshot.sequence;
    const open = new Set(snapshot.ids.filter(isOpen));
    for (const [id, { deadlineMs }] of asked) if (!ends.has(id) && deadlineMs > nowMs) open.add(id);
    for (const id of reserved) open.add(id);
    return open.size;
  }

  return {
    observe({ entry, sequence, address: { id } }) {
      if ("unknownType" in entry || isDeliveryEvent(entry)) return;
      if (entry.type !== "asked") {
        ends.set(id, sequence);
        if (ends.size > MAX_ENDS)
          for (const oldest of [...ends.keys()].slice(0, MAX_ENDS / 2)) ends.delete(oldest);
        return;
      }
      const { channel, address } = entry.data;
      if (channel === undefined || address === undefined) return;
      ends.delete(id);
      const queue = queues.get(`${channel}\n${address}`);
      queue?.reserved.delete(id);
      queue?.asked.set(id, { sequence, deadlineMs: deadlineMs(entry.data) });
    },

    async reserve(place, id, cap) {
      const queue = queueAt(place);
      await refresh(queue, place);
      if (waiting(queue) >= cap) return false;
      queue.reserved.add(id);
      return true;
    },

    giveBack({ channel, address }, id) {
      queues.get(`${channel}\n${address}`)?.reserved.delete(id);
    },
  };
}

/** A read model that hangs must not hold up the question that wants to be counted. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), enough]);
  clearTimeout(timer);
}
