import { type Log, readLog } from "@interlude/event-log";

const BATCH = 1_000;

/** How many milliseconds after its deadline each question of `due` was stored as expired, from `fromSequence` on. */
export async function readLateness(
  log: Log,
  fromSequence: number,
  due: ReadonlyMap<string, number>,
): Promise<number[]> {
  const late: number[] = [];
  let next = fromSequence;
  for (;;) {
    const batch = await readLog(log, next, BATCH, () => undefined);
    if (batch.length === 0) return late;
    for (const { entry, storedAtMs, address } of batch) {
      const dueAtMs = due.get(address.id);
      if (dueAtMs === undefined || "unknownType" in entry || entry.type !== "expired") continue;
      late.push(storedAtMs - dueAtMs);
    }
    next = (batch.at(-1)?.sequence ?? next) + 1;
  }
}
