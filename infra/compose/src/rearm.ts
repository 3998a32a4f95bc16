import { isDeliveryEvent } from "@interlude/contract";
import { deadlineMs } from "@interlude/domain";
import { createTimers, logBounds, openLog, readLog } from "@interlude/event-log";

const BATCH = 1_000;
/** Timers in flight at a time: enough to keep the server busy, few enough to hear of a failure. */
const AT_A_TIME = 64;

/** Sets every open deadline again, read from the log itself; for a TIMERS stream that was lost. */
export async function rearm(natsUrl: string): Promise<number> {
  const log = await openLog({ url: natsUrl, service: "provision" });
  try {
    const open = new Map<string, number>();
    const { firstSequence, lastSequence } = await logBounds(log);
    let next = Math.max(1, firstSequence);
    while (next <= lastSequence) {
      const batch = await readLog(log, next, BATCH, () => undefined);
      if (batch.length === 0) break;
      for (const { entry, address } of batch) {
        if ("unknownType" in entry) continue;
        if (entry.type === "asked") open.set(address.id, deadlineMs(entry.data));
        else if (!isDeliveryEvent(entry)) open.delete(address.id);
      }
      next = (batch.at(-1)?.sequence ?? next) + 1;
    }
    const timers = createTimers(log);
    const waiting = [...open];
    for (let start = 0; start < waiting.length; start += AT_A_TIME) {
      const some = waiting.slice(start, start + AT_A_TIME);
      // A deadline that has passed is set too: it fires at once and ends its question.
      await Promise.all(some.map(([id, dueAtMs]) => timers.set(id, dueAtMs, dueAtMs)));
    }
    return open.size;
  } finally {
    await log.close();
  }
}
