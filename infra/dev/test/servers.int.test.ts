import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { describeMachine, startNats, startPostgres, type RunningServer } from "../src/index.ts";
import { natsRequest } from "./nats-request.ts";

const machine = describeMachine(process.env);
let home = "";
let lines: string[] = [];
let running: RunningServer[] = [];
const report = (line: string): void => void lines.push(line);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "interlude-dev-"));
  chmodSync(home, 0o755);
  lines = [];
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  rmSync(home, { recursive: true, force: true });
});

async function nats(port?: number): Promise<RunningServer> {
  const server = await startNats({ home, machine, report, port, diesWithParent: true });
  running.push(server);
  return server;
}

async function postgres(): Promise<RunningServer> {
  const server = await startPostgres({ home, machine, report, fsync: false, diesWithParent: true });
  running.push(server);
  return server;
}

function pidOf(server: RunningServer): number {
  if (server.pid === undefined) throw new Error("the server has no process");
  return server.pid;
}

describe("an embedded server that is killed", () => {
  it("comes back by itself on its port with what it had stored (NATS)", async () => {
    const server = await nats();
    await natsRequest(server.url, "$JS.API.STREAM.CREATE.KEPT", { name: "KEPT", subjects: ["kept"] });
    await natsRequest(server.url, "kept", { value: 7 });
    const before = pidOf(server);
    process.kill(before, "SIGKILL");
    await vi.waitUntil(() => server.pid !== before, { timeout: 10_000 });
    expect(await natsRequest(server.url, "$JS.API.STREAM.INFO.KEPT", {})).toMatchObject({
      state: { messages: 1 },
    });
    expect(lines.join("\n")).toContain("nats: the server died; starting it again on its data");
  });

  it("comes back by itself on its port (Postgres)", async () => {
    const server = await postgres();
    const before = pidOf(server);
    process.kill(before, "SIGKILL");
    await vi.waitUntil(() => server.pid !== before, { timeout: 15_000 });
    expect(lines.at(-1)).toContain(`ready on port ${new URL(server.url).port}`);
  });

  it("comes back however often it dies, and stays away once stopped", async () => {
    const server = await nats();
    for (let times = 0; times < 3; times++) {
      const before = pidOf(server);
      process.kill(before, "SIGKILL");
      await vi.waitUntil(() => server.pid !== before, { timeout: 10_000 });
    }
    await server.stop();
    await expect(natsRequest(server.url, "any", {})).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe("a home", () => {
  it("has one server of each kind when two starts come at once", async () => {
    const [one, other] = await Promise.all([nats(), nats()]);
    expect(one.pid).toBe(other.pid);
    expect(one.url).toBe(other.url);
    const [first, second] = await Promise.all([postgres(), postgres()]);
    expect(first.pid).toBe(second.pid);
  });

  it("keeps its port from one start to the next", async () => {
    const first = await nats();
    await first.stop();
    expect((await nats()).url).toBe(first.url);
  });

  it("gets another port when somebody else has taken its own", async () => {
    const first = await nats();
    await first.stop();
    const squatter = createServer().listen(Number(new URL(first.url).port), "127.0.0.1");
    await new Promise((resolve) => squatter.once("listening", resolve));
    expect((await nats()).url).not.toBe(first.url);
    squatter.close();
  });

  it("names the port that it was told to use and cannot", async () => {
    const squatter = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => squatter.once("listening", resolve));
    const address = squatter.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(nats(port)).rejects.toMatchObject({
      code: "port_taken",
      message: expect.stringContaining(String(port)) as string,
    });
    squatter.close();
  });

  it("ends a predecessor's server that no longer answers, and starts one that does", async () => {
    const stuck = await startNats({ home, machine, report, supervise: false, diesWithParent: true });
    process.kill(pidOf(stuck), "SIGSTOP");
    const server = await nats();
    expect(server.pid).not.toBe(stuck.pid);
    expect(lines.join("\n")).toContain("stopping a predecessor's server that does not answer");
  }, 40_000);

  it("ends a server of its folder that nobody recorded", async () => {
    const left = await startPostgres({
      home,
      machine,
      report,
      fsync: false,
      supervise: false,
      diesWithParent: true,
    });
    rmSync(join(home, "postgres", "server.json"));
    const server = await postgres();
    expect(server.pid).not.toBe(left.pid);
    expect(lines.join("\n")).toContain("stopping a server that was left in");
  });

  it("sets half-written Postgres data aside and makes it anew", async () => {
    mkdirSync(join(home, "postgres", "data", "base"), { recursive: true });
    writeFileSync(join(home, "postgres", "data", "PG_VERSION"), "15\n");
    mkdirSync(join(home, "postgres", "data.part", "base"), { recursive: true });
    await postgres();
    const names = readdirSync(join(home, "postgres"));
    expect(names.filter((name) => name.startsWith("data.incomplete-"))).toHaveLength(1);
    expect(existsSync(join(home, "postgres", "data", "interlude-complete"))).toBe(true);
    expect(names).not.toContain("data.part");
  });

  it("says that its data is damaged, and how to go on", async () => {
    const first = await postgres();
    await first.stop();
    writeFileSync(join(home, "postgres", "data", "global", "pg_control"), Buffer.alloc(8192, 1));
    await expect(postgres()).rejects.toMatchObject({
      code: "home_damaged",
      message: expect.stringContaining("move it away") as string,
    });
  });

  it("may stand so deep that a socket does not fit into it", async () => {
    const top = home;
    home = join(top, "a".repeat(60), "b".repeat(60));
    const server = await postgres();
    expect(server.pid).toBeGreaterThan(1);
    await server.stop();
    home = top;
  });
});

describe("a given server", () => {
  it("is used as it is: nothing is started and nothing stopped", async () => {
    const givenUrl = "nats://somewhere.test:4222";
    const server = await startNats({ home, machine, givenUrl });
    expect([server.url, server.pid, readdirSync(home)]).toEqual([givenUrl, undefined, []]);
    await server.stop();
  });
});
