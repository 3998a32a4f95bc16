import { rmSync } from "node:fs";
import { describeMachine, startNats, startPostgres, type RunningServer } from "@interlude/infra-dev";
import type { TestProject } from "vitest/node";
import { temporaryHome } from "./own-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    natsUrl: string;
    /** The database `interlude` of a server whose user may create more of them. */
    postgresUrl: string;
  }
}

type Servers = { nats: RunningServer; postgres: RunningServer; home: string };
type Shared = { users: number; starting: Promise<Servers> | undefined };

declare global {
  /** Vitest loads this file anew for each project of a run: what they share stands on the process. */
  var interludeTestServers: Shared | undefined;
}

/** One nats-server and one Postgres for all the projects of a run; the last one to end stops them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (globalThis.interludeTestServers ??= { users: 0, starting: undefined });
  shared.users += 1;
  const { nats, postgres } = await (shared.starting ??= startServers());
  project.provide("natsUrl", nats.url);
  project.provide("postgresUrl", postgres.url);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0 || shared.starting === undefined) return;
    const servers = await shared.starting;
    shared.starting = undefined;
    await Promise.all([servers.nats.stop(), servers.postgres.stop()]);
    rmSync(servers.home, { recursive: true, force: true });
  };
}

async function startServers(): Promise<Servers> {
  const home = temporaryHome("tests");
  const machine = describeMachine(process.env);
  const options = {
    home,
    machine,
    diesWithParent: true,
    report: (line: string) => process.stderr.write(`${line}\n`),
  };
  const [nats, postgres] = await Promise.all([
    startNats(options),
    startPostgres({ ...options, fsync: false, maxConnections: 500 }),
  ]);
  return { nats, postgres, home };
}
