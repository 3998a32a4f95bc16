import { chmodSync, existsSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { describeMachine, startNats, startPostgres } from "../src/index.ts";
import { identify } from "../src/process-identity.ts";
import { findOnPath } from "../src/find-on-path.ts";
import { runProgram } from "../src/run-program.ts";
import { launchStarter } from "./starter.ts";

const machine = describeMachine(process.env);
const { isRoot } = machine.platform;
const NOBODY = { uid: 65_534, gid: 65_534 };
let home = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "interlude-dev-"));
  chmodSync(home, 0o755);
});

afterEach(async () => {
  // A test that failed half way leaves what its starter left.
  if (["nats", "postgres"].some((name) => existsSync(join(home, name, "server.json"))))
    await stopEverything();
  rmSync(home, { recursive: true, force: true });
});

/** What the starter leaves is stopped by the same means as in life: the next start adopts it. */
async function stopEverything(): Promise<{ nats: number | undefined; postgres: number | undefined }> {
  const nats = await startNats({ home, machine });
  const postgres = await startPostgres({ home, machine });
  const pids = { nats: nats.pid, postgres: postgres.pid };
  await Promise.all([nats.stop(), postgres.stop()]);
  return pids;
}

async function isReadableByNobody(): Promise<boolean> {
  const source = fileURLToPath(import.meta.url);
  return (
    (
      await runProgram("/bin/sh", ["-c", 'test -r "$1" && test -x "$2"', "sh", source, process.execPath], {
        ...NOBODY,
        cwd: "/",
      })
    ).exitCode === 0
  );
}

describe("servers and the process that started them", () => {
  it("go on when it is killed, and the next start goes on with them", async () => {
    const { child, started } = launchStarter(home);
    const before = await started;
    child.kill("SIGKILL");
    await vi.waitUntil(() => child.signalCode !== null, { timeout: 5_000 });
    expect(await stopEverything()).toEqual({ nats: before.nats.pid, postgres: before.postgres.pid });
  }, 60_000);

  it("are started once by two processes that start at the same time", async () => {
    const starters = [launchStarter(home), launchStarter(home)];
    const [one, other] = await Promise.all(starters.map(({ started }) => started));
    expect(one).toEqual(other);
    for (const { child } of starters) child.kill("SIGKILL");
    await stopEverything();
  }, 60_000);

  it("end with it when it ends in order", async () => {
    const { child, started } = launchStarter(home);
    const { nats, postgres } = await started;
    child.kill("SIGTERM");
    await vi.waitUntil(() => child.exitCode === 0, { timeout: 20_000 });
    for (const { pid } of [nats, postgres]) expect(() => process.kill(pid, 0)).toThrow();
  }, 60_000);
});

const everybodyMayRead = isRoot && (await isReadableByNobody());

describe("servers tied to the process that started them", () => {
  it("end when it is killed, even while they are frozen", async () => {
    const { child, started } = launchStarter(home, {}, "tied");
    const { nats, postgres } = await started;
    process.kill(nats.pid, "SIGSTOP");
    child.kill("SIGKILL");
    await vi.waitUntil(() => identify(nats.pid) === undefined && identify(postgres.pid) === undefined, {
      timeout: 30_000,
    });
  }, 60_000);
});

describe("who runs them", () => {
  it.skipIf(!everybodyMayRead)(
    "may be an ordinary user [needs root, and a project that everybody may read]",
    async () => {
      chownSync(home, NOBODY.uid, NOBODY.gid);
      const { child, started } = launchStarter(home, NOBODY);
      expect((await started).uid).toBe(NOBODY.uid);
      expect(statSync(join(home, "postgres", "data")).uid).toBe(NOBODY.uid);
      child.kill("SIGTERM");
      await vi.waitUntil(() => child.exitCode === 0, { timeout: 20_000 });
    },
    120_000,
  );

  it.skipIf(!isRoot || findOnPath(machine.searchPath, "unshare").length === 0)(
    "may be root in a folder that only root may enter [needs root and unshare]",
    async () => {
      const closed = join(home, "closed");
      mkdirSync(closed, { mode: 0o700 });
      const server = await startPostgres({ home: closed, machine, fsync: false, diesWithParent: true });
      expect(server.pid).toBeGreaterThan(1);
      await server.stop();
    },
    60_000,
  );
});
