import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { describeMachine, obtainRedisServer, startRedis, type RunningServer } from "../src/index.ts";
import { redisCommand } from "./redis-command.ts";

const machine = describeMachine(process.env);
const canStart = await obtainRedisServer(machine, () => undefined).then(
  () => true,
  () => false,
);
let home = "";
let lines: string[] = [];
let running: RunningServer[] = [];
const report = (line: string): void => void lines.push(line);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "interlude-dev-"));
  lines = [];
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  rmSync(home, { recursive: true, force: true });
});

async function redis(port?: number): Promise<RunningServer> {
  const server = await startRedis({ home, machine, report, port, diesWithParent: true });
  running.push(server);
  return server;
}

function pidOf(server: RunningServer): number {
  if (server.pid === undefined) throw new Error("the server has no process");
  return server.pid;
}

describe.skipIf(!canStart)("an embedded Redis [needs a Redis server]", () => {
  it("comes back by itself on its port with what it had stored when it is killed", async () => {
    const server = await redis();
    expect(await redisCommand(server.url, "SET kept 7")).toBe("+OK");
    const before = pidOf(server);
    process.kill(before, "SIGKILL");
    await vi.waitUntil(() => server.pid !== before, { timeout: 10_000 });
    expect(await redisCommand(server.url, "STRLEN kept")).toBe(":1");
    expect(lines.join("\n")).toContain("redis: the server died; starting it again on its data");
  });

  it("is one for a home when two starts come at once, and keeps its port and data over a stop", async () => {
    const [one, other] = await Promise.all([redis(), redis()]);
    expect(one.pid).toBe(other.pid);
    await redisCommand(one.url, "SET kept 7");
    await one.stop();
    await expect(redisCommand(one.url, "PING")).rejects.toThrow(/ECONNREFUSED/);
    const next = await redis();
    expect(next.url).toBe(one.url);
    expect(await redisCommand(next.url, "STRLEN kept")).toBe(":1");
  });

  it("listens on the loopback address only, and never evicts", async () => {
    const server = await redis();
    const settings = readFileSync(join(home, "redis", "server.conf"), "utf8");
    expect(settings).toMatch(/^bind 127\.0\.0\.1$/m);
    expect(settings).toMatch(/^maxmemory-policy noeviction$/m);
    expect(await redisCommand(server.url, "PING")).toBe("+PONG");
  });

  it("ends a server of its folder that nobody recorded", async () => {
    const left = await startRedis({ home, machine, report, supervise: false, diesWithParent: true });
    rmSync(join(home, "redis", "server.json"));
    const server = await redis();
    expect(server.pid).not.toBe(left.pid);
    expect(lines.join("\n")).toContain("stopping a server that was left in");
  });

  it("says that its data is damaged, and how to go on", async () => {
    const first = await redis();
    await redisCommand(first.url, "SET kept 7");
    await first.stop();
    const store = join(home, "redis", "store", "appendonlydir");
    for (const name of readdirSync(store).filter((file) => file.endsWith(".aof"))) {
      writeFileSync(join(store, name), "*9\r\nnothing of the kind");
    }
    await expect(redis()).rejects.toMatchObject({
      code: "home_damaged",
      message: expect.stringContaining("move it away") as string,
    });
  });
});

describe("a given Redis", () => {
  it("is used as it is: nothing is started and nothing stopped", async () => {
    const givenUrl = "redis://somewhere.test:6379";
    const server = await startRedis({ home, machine, givenUrl });
    expect([server.url, server.pid, readdirSync(home)]).toEqual([givenUrl, undefined, []]);
    await server.stop();
  });
});
