import { formatInstant } from "@interlude/contract";
import {
  type InteractionStore,
  type MediaCustody,
  type MessageIndex,
  mediaPath,
  type PurgeLog,
  type Purger,
  type StoredEntry,
} from "@interlude/event-log";
import { subjectToken } from "@interlude/kernel";
import { isEnd, judgeHistory } from "./judge-history.ts";
import type { ParkGroup } from "./park-groups.ts";

export type PurgeDeps = {
  /** Stored events from a place in the log on, oldest first. */
  read: (fromSequence: number, batch: number) => Promise<readonly StoredEntry[]>;
  store: Pick<InteractionStore, "readAll">;
  parksOf: (driver: string, runToken: string) => Promise<readonly ParkGroup[]>;
  purgeLog: PurgeLog;
  purger: Pick<Purger, "purgeInteraction">;
  keys: { shred(id: string): Promise<void> };
  messages: Pick<MessageIndex, "forget">;
  custody: Pick<MediaCustody, "isClaimed" | "discard">;
  nowMs: () => number;
  beforeMs: number;
  shouldStop: () => boolean;
};

export type PurgeReport = {
  purged: number;
  /** Past their time, and kept for a run that has not resumed or a newer process. */
  kept: number;
  /** When the oldest end was stored that is still in the log, as far as was looked. */
  oldestMs: number | undefined;
};

const BATCH = 500;
const CLAIM_GRACE_MS = 3_600_000;
const MEDIA_PREFIX = mediaPath("");

/** Purges what ended before `beforeMs`, from the beginning of the log up to the first event that is younger. */
export async function purgeInteractions(deps: PurgeDeps): Promise<PurgeReport> {
  const report: PurgeReport = { purged: 0, kept: 0, oldestMs: undefined };
  const runs = new Map<string, Promise<readonly ParkGroup[]>>();
  for (let from = 1; ;) {
    const batch = await deps.read(from, BATCH);
    for (const stored of batch) {
      if (deps.shouldStop()) return report;
      if (isEnd(stored)) {
        const isDue = stored.storedAtMs < deps.beforeMs;
        const isGone = isDue && (await purgeOne(deps, stored.address.id, runs));
        if (isGone) report.purged += 1;
        else {
          report.oldestMs ??= stored.storedAtMs;
          if (isDue) report.kept += 1;
        }
      }
      if (stored.storedAtMs >= deps.beforeMs) return report;
    }
    const last = batch.at(-1);
    if (last === undefined) return report;
    from = last.sequence + 1;
  }
}

async function purgeOne(
  deps: PurgeDeps,
  id: string,
  runs: Map<string, Promise<readonly ParkGroup[]>>,
): Promise<boolean> {
  const judged = judgeHistory(await deps.store.readAll(id), deps.beforeMs);
  if (!judged.isOver) return false;
  const asked = judged.removed.flatMap(({ entry }) =>
    "type" in entry && entry.type === "asked" ? [entry.data] : [],
  )[0];
  const parks = asked?.run === undefined ? [] : await parksOnce(deps, asked.run, runs);
  const own = parks.filter(({ interactionIds }) => interactionIds.includes(id));
  if (own.some((park) => !park.isOver)) return false;

  // In this order whatever is cut off is found again: told, and what leads to the question while it still stands.
  const data = {
    interaction_id: id,
    sequence: judged.upTo,
    parked: own.length > 0,
    at: formatInstant(deps.nowMs()),
  };
  await deps.purgeLog.tell({ type: "interaction_purged", data });
  if (asked?.sensitive === true) await deps.keys.shred(id);
  for (const [channel, ids] of messagesOf(judged.removed)) await deps.messages.forget(channel, ids);
  await deps.purger.purgeInteraction(judged.removed, judged.upTo);
  for (const { url } of asked?.media ?? []) {
    if (url.startsWith(MEDIA_PREFIX)) await discardUnclaimed(deps, url.slice(MEDIA_PREFIX.length));
  }
  return true;
}

/** The messages that showed it to a person. */
function messagesOf(history: readonly StoredEntry[]): ReadonlyMap<string, string[]> {
  const byChannel = new Map<string, string[]>();
  for (const { entry } of history) {
    if (!("type" in entry) || (entry.type !== "delivered" && entry.type !== "delivery_failed")) continue;
    const { channel, message_ids: ids = [] } = entry.data;
    byChannel.set(channel, [...new Set([...(byChannel.get(channel) ?? []), ...ids])]);
  }
  return byChannel;
}

/** A park may have ten thousand questions: its run is read once a sweep. */
function parksOnce(
  deps: PurgeDeps,
  run: { driver: string; run_id: string },
  known: Map<string, Promise<readonly ParkGroup[]>>,
): Promise<readonly ParkGroup[]> {
  const key = JSON.stringify([run.driver, run.run_id]);
  const found = known.get(key) ?? deps.parksOf(run.driver, subjectToken(run.run_id));
  known.set(key, found);
  return found;
}

/** What another question shows too stays. Cut off before this, the sweep of media finds it. */
async function discardUnclaimed({ custody, nowMs }: PurgeDeps, mediaId: string): Promise<void> {
  if (!(await custody.isClaimed(mediaId, nowMs() - CLAIM_GRACE_MS))) await custody.discard(mediaId);
}
