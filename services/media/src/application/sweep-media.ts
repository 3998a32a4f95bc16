import type { MediaCustody } from "@interlude/event-log";

export type SweepOptions = {
  custody: MediaCustody;
  nowMs: () => number;
  /** How long bytes stay that nothing shows. */
  unclaimedLifetimeMs: number;
  /** How long a claim stands for a question that has not come yet. */
  claimGraceMs: number;
  shouldStop: () => boolean;
};

export type SweepReport = { looked: number; discarded: number };

/**
 * Removes what has been stored for long enough and is shown by nothing in the log. Whatever cannot be read
 * ends the sweep by its failure, before anything is removed on a guess; the next one begins anew.
 */
export async function sweepMedia(options: SweepOptions): Promise<SweepReport> {
  const { custody, nowMs } = options;
  const report = { looked: 0, discarded: 0 };
  for await (const id of custody.storedBefore(nowMs() - options.unclaimedLifetimeMs)) {
    if (options.shouldStop()) break;
    report.looked++;
    const isKept = await custody.isClaimed(id, nowMs() - options.claimGraceMs);
    if (!isKept && (await custody.discard(id))) report.discarded++;
  }
  return report;
}
