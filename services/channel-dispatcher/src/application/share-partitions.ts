import { PARTITIONS } from "@interlude/kernel";

/** How the partitions of a channel are held now, as one worker sees it. */
export type Shares = Readonly<{
  me: string;
  /** Every worker that is alive, this one included. */
  workers: readonly string[];
  /** Who holds a partition; one that nobody holds is absent. */
  holders: ReadonlyMap<number, string>;
}>;

export type SharePlan = Readonly<{ take: readonly number[]; shed: readonly number[] }>;

/** How many partitions a worker may hold; the first few by name take what does not divide. */
export function fairShare(me: string, workers: readonly string[]): number {
  const sorted = [...new Set([...workers, me])].sort();
  const rest = PARTITIONS % sorted.length;
  return Math.floor(PARTITIONS / sorted.length) + (sorted.indexOf(me) < rest ? 1 : 0);
}

/** What this worker should take, or give up for others. It takes only what is free: others give up by themselves. */
export function planShare({ me, workers, holders }: Shares): SharePlan {
  const share = fairShare(me, workers);
  const all = Array.from({ length: PARTITIONS }, (_, partition) => partition);
  const mine = all.filter((partition) => holders.get(partition) === me);
  if (mine.length > share) return { take: [], shed: mine.slice(share) };
  const free = all.filter((partition) => !holders.has(partition));
  // Workers that start together begin at different places, and so seldom reach for the same one.
  const start = free.length === 0 ? 0 : [...new Set([...workers, me])].sort().indexOf(me) * share;
  const turned = free.map((_, index) => free[(index + start) % free.length] ?? 0);
  return { take: turned.slice(0, share - mine.length), shed: [] };
}
