import type { Lease, LeaseStore } from "@interlude/event-log";
import { planShare } from "./share-partitions.ts";

/** Work on a partition, for as long as its lease is held. */
export interface PartitionSession {
  /** Finishes what is under way, takes up nothing more, and gives back what was not begun. */
  stop(): Promise<void>;
}

export type KeeperOptions = Readonly<{
  channel: string;
  worker: string;
  leases: LeaseStore;
  /** Never steps. */
  steadyMs: () => number;
  /** `signal` aborts once the lease is lost. `wasGivenBack`: whoever had it left nothing under way. */
  begin: (partition: number, signal: AbortSignal, wasGivenBack: boolean) => PartitionSession;
  onFailure: (error: unknown) => void;
}>;

type Held = {
  revision: number;
  /** Until when the server keeps it for us, at the earliest. */
  untilMs: number;
  lost: AbortController;
  session: PartitionSession;
  shedding: Promise<void> | undefined;
};

/** Less than the lease is worth, for what a clock and a slow answer may take from it. */
const MARGIN_MS = 1_500;

export interface PartitionKeeper {
  /** Looks who is alive, renews, takes what is free and gives up what is others'. */
  round(): Promise<void>;
  /** Whether this worker may act for the partition at this moment. */
  holds(partition: number): boolean;
  readonly held: readonly number[];
  /** Gives everything back; what takes long to end is to be renewed by further rounds meanwhile. */
  stop(): Promise<void>;
}

export function createPartitionKeeper(options: KeeperOptions): PartitionKeeper {
  const { channel, worker, leases, steadyMs } = options;
  const held = new Map<number, Held>();
  const presence = { key: `${channel}.worker.${worker}`, revision: 0 };
  let isStopped = false;

  const keyOf = (partition: number): string => `${channel}.partition.${partition}`;

  /** Writes under its revision; `undefined`: somebody else has it, or nobody knows. */
  async function renew(key: string, revision: number, found: Lease | undefined): Promise<number | undefined> {
    const outcome = await leases.hold(key, worker, revision);
    if (outcome.status === "appended") return outcome.sequence;
    // An acknowledgement that was lost: what was read says that it is ours all the same.
    return found?.holder === worker && found.revision > revision ? found.revision : undefined;
  }

  function lose(partition: number): void {
    const mine = held.get(partition);
    if (mine === undefined) return;
    held.delete(partition);
    mine.lost.abort();
    void mine.session.stop();
  }

  async function renewAll(found: ReadonlyMap<string, Lease>): Promise<void> {
    const renewals = [...held].map(async ([partition, mine]) => {
      const key = keyOf(partition);
      const sentMs = steadyMs();
      const revision = await renew(key, mine.revision, found.get(key));
      if (revision !== undefined) {
        mine.revision = revision;
        mine.untilMs = sentMs + leases.ttlMs - MARGIN_MS;
      } else if (found.get(key)?.holder !== worker || steadyMs() >= mine.untilMs) lose(partition);
    });
    await Promise.all(renewals);
  }

  async function take(partition: number, found: Lease | undefined): Promise<void> {
    const sentMs = steadyMs();
    const outcome = await leases.hold(keyOf(partition), worker, found?.revision ?? 0);
    if (outcome.status !== "appended" || isStopped) return;
    const lost = new AbortController();
    held.set(partition, {
      revision: outcome.sequence,
      untilMs: sentMs + leases.ttlMs - MARGIN_MS,
      lost,
      session: options.begin(partition, lost.signal, found !== undefined),
      shedding: undefined,
    });
  }

  /** The lease is renewed until the session has ended, and only then given back. */
  function shed(partition: number): Promise<void> {
    const mine = held.get(partition);
    if (mine === undefined) return Promise.resolve();
    mine.shedding ??= mine.session.stop().then(async () => {
      if (!held.delete(partition)) return;
      mine.lost.abort();
      await leases.giveBack(keyOf(partition), mine.revision);
    });
    return mine.shedding;
  }

  async function round(): Promise<void> {
    const found = new Map((await leases.list(channel)).map((lease) => [lease.key, lease]));
    if (!isStopped) {
      const seen = found.get(presence.key);
      presence.revision = (await renew(presence.key, presence.revision, seen)) ?? seen?.revision ?? 0;
    }
    await renewAll(found);
    if (isStopped) return;
    const plan = planShare({ me: worker, ...standing(found) });
    for (const partition of plan.shed) shed(partition).catch(options.onFailure);
    await Promise.all(plan.take.map((partition) => take(partition, found.get(keyOf(partition)))));
  }

  /** As it was read, but for what this worker itself knows better. */
  function standing(found: ReadonlyMap<string, Lease>) {
    const workers = new Set([worker]);
    const holders = new Map<number, string>();
    for (const { key, holder } of found.values()) {
      const [, kind, name = ""] = key.split(".");
      if (holder === "") continue;
      if (kind === "worker") workers.add(name);
      else if (holder !== worker) holders.set(Number(name), holder);
    }
    for (const partition of held.keys()) holders.set(partition, worker);
    return { workers: [...workers], holders };
  }

  return {
    async round() {
      try {
        await round();
      } catch (error) {
        options.onFailure(error);
      }
      for (const [partition, mine] of held) if (steadyMs() >= mine.untilMs) lose(partition);
    },
    holds(partition) {
      const mine = held.get(partition);
      return mine !== undefined && steadyMs() < mine.untilMs;
    },
    get held() {
      return [...held.keys()];
    },
    async stop() {
      isStopped = true;
      // Others count this worker out first, and take each partition the moment it is given back.
      if (presence.revision > 0)
        await leases.giveBack(presence.key, presence.revision).catch(options.onFailure);
      await Promise.allSettled([...held.keys()].map((partition) => shed(partition)));
    },
  };
}
