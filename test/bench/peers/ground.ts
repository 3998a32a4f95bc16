import { rmSync } from "node:fs";
import { join } from "node:path";
import { describeMachine, type Machine, startNats } from "@interlude/infra-dev";
import { startOwnPostgres, temporaryHome } from "@interlude/testing";
import type { Bench } from "../bench.ts";
import type { Composition } from "../composition.ts";

const CONNECTIONS = 300;

/** What everybody stands on: servers that have a write on the disk before they acknowledge it. */
export type Ground = {
  /** The product on a log that is synced with each message. */
  synced: Composition;
  natsPid: number | undefined;
  /** A Postgres with `fsync` and `synchronous_commit` on, as it comes. */
  postgresUrl: string;
  machine: Machine;
  /** Where a peer's own server keeps its data. */
  folder: string;
  close(): Promise<void>;
};

export async function openGround(bench: Bench): Promise<Ground> {
  const folder = temporaryHome("peers");
  const machine = describeMachine(process.env);
  const store = JSON.stringify(join(folder, "log"));
  const nats = await startNats({
    ...{ home: folder, machine, supervise: false, diesWithParent: true },
    // Of two settings of one name the last one counts, and it counts whole.
    configuration: `jetstream: { store_dir: ${store}, max_file_store: 1PB, sync_interval: always }`,
  });
  const postgres = await startOwnPostgres({ fsync: true, maxConnections: CONNECTIONS });
  const synced = await bench.start({ NATS_URL: nats.url });
  return {
    ...{ synced, machine, folder },
    natsPid: nats.pid,
    postgresUrl: postgres.url,
    async close() {
      await synced.stop();
      await Promise.allSettled([nats.stop(), postgres.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
