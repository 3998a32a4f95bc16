import { join } from "node:path";
import { createDatabase } from "@interlude/testing";
import type { Bench } from "../bench.ts";
import type { Ground } from "./ground.ts";
import { obtainRestateServer } from "./obtain-restate.ts";
import type { Contestant } from "./protocol.ts";

/** What the same job is measured against. */
export type Peer = {
  name: string;
  /** How it is kept, for the reader of the figures. */
  settings: string;
  /** @throws where it cannot be had on this machine */
  contestant(ground: Ground, bench: Bench): Promise<Contestant>;
};

const onPostgres = (name: "dbos" | "langgraph" | "graphile-worker", settings: string): Peer => ({
  name,
  settings,
  contestant: async ({ postgresUrl }) => ({ name, databaseUrl: (await createDatabase(postgresUrl)).url }),
});

export const PEERS: readonly Peer[] = [
  onPostgres(
    "dbos",
    "DBOS 5.3: a workflow in DBOS.recv, answered by DBOS.send in the same process; Postgres with fsync, 40 connections",
  ),
  onPostgres(
    "langgraph",
    "LangGraph 1.7: interrupt() and Command({ resume }) in the same process, durability sync; PostgresSaver, Postgres with fsync. It has no wake: whoever answers goes on with the run",
  ),
  onPostgres(
    "graphile-worker",
    "one's own table of what waits, and a Graphile Worker 0.16 job in the answer's transaction; Postgres with fsync, 64 jobs at a time, 40 connections",
  ),
  {
    name: "restate",
    settings:
      "Restate 1.7: a workflow on a durable promise, answered through the ingress; its server as it comes, one node",
    contestant: async ({ machine, folder }) => ({
      name: "restate",
      program: await obtainRestateServer(machine),
      folder: join(folder, "restate"),
    }),
  },
  {
    name: "unsynced",
    settings: "ourselves as `dev` starts us: the log is on the disk when the operating system puts it there",
    contestant: async (_ground, bench) => {
      const { url, apiKey } = await bench.start();
      return { name: "interlude", url, apiKey };
    },
  },
];
