import { type Log, openLog } from "@interlude/event-log";

/** Looks at the servers from outside, to see that a refused request left nothing behind. */
export type StoreWitness = {
  /** The last position of the event log. */
  lastSequence: () => Promise<number>;
  /** One text for everything that is kept: event log, image bytes, keys. Timers follow events and leases the clock: they are not in it. */
  everything: () => Promise<string>;
  close: () => Promise<void>;
};

const FOLLOWS = /^(TIMERS|AUDIT|KV_sessions|KV_deliveries|KV_leases)$/i;

export async function openStoreWitness(natsUrl: string): Promise<StoreWitness> {
  const log: Log = await openLog({ url: natsUrl, service: "witness" });
  return {
    async lastSequence() {
      const { state } = await log.manager.streams.info("INTERACTIONS");
      return state.last_seq;
    },
    async everything() {
      const kept: string[] = [];
      for await (const { config, state } of log.manager.streams.list()) {
        if (!FOLLOWS.test(config.name)) kept.push(`${config.name}:${state.last_seq}`);
      }
      return kept.sort().join(" ");
    },
    close: () => log.close(),
  };
}
