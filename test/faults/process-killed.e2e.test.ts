import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { eventually, temporaryHome } from "@interlude/testing";
import { afterAll, expect, it } from "vitest";
import { type Child, startChild } from "../support/child-process.ts";
import { converse } from "../support/converse.ts";
import { startReturningReader } from "../support/returning-reader.ts";
import { send } from "../support/send.ts";
import { STORM_SIZE, startStorm, stormIds } from "../support/storm.ts";

const EXPIRING = 20;

const home = temporaryHome("killed");
const environment = {
  INTERLUDE_HOME: home,
  INTERLUDE_DEMO: "0",
  INTERLUDE_MAX_CONCURRENT: "0",
  INTERLUDE_MAX_WAITS: "0",
  PORT: "0",
};
let running: Child | undefined;

afterAll(async () => {
  await running?.interrupt();
  rmSync(home, { recursive: true, force: true });
});

type DevFile = { url: string; key: string; processes: number[] };

function devFile(): DevFile {
  const told: unknown = JSON.parse(readFileSync(join(home, "dev.json"), "utf8"));
  if (
    typeof told !== "object" ||
    told === null ||
    !("url" in told) ||
    !("api_key" in told) ||
    !("processes" in told)
  )
    throw new Error("dev.json does not say what it must");
  const processes = Object.values(told.processes ?? {}).filter((pid) => typeof pid === "number");
  return { url: String(told.url), key: String(told.api_key), processes };
}

/** Everybody is the one whom dev's own key makes. */
const conversation = converse(() => {
  const { url, key } = devFile();
  const keys = { asker: key, otherAsker: key, answerer: key, groupAnswerer: key, operator: key };
  return { url, natsUrl: "", keys };
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it(
  `dev killed by SIGKILL while ${STORM_SIZE} questions are asked and answered goes on with all it had accepted`,
  { timeout: 400_000 },
  async () => {
    running = startChild(["dev"], environment);
    await running.says(/is ready/, 60_000);
    const first = devFile();
    const reader = await startReturningReader(first.url, first.key, 0);
    const answered = stormIds("survives", STORM_SIZE);
    const expiring = stormIds("short", EXPIRING);
    const storm = startStorm(conversation, { answered, expiring });
    // The deadlines that pass while it is away were held by the dead process.
    const isTime = () => storm.accepted.answers > STORM_SIZE / 4 && storm.accepted.asks > EXPIRING;
    await eventually(isTime, { withinMs: 120_000, everyMs: 5 });
    expect(storm.woken.size).toBeLessThan(STORM_SIZE);
    await running.kill();
    running = startChild(["dev"], environment);
    await running.says(/is ready/, 60_000);
    const second = devFile();
    expect([second.url, second.key]).toEqual([first.url, first.key]);

    expect(new Set(await storm.over)).toEqual(new Set([200]));
    expect(storm.refusals.filter((status) => status !== 503 && status !== 0)).toEqual([]);
    for (const id of answered) expect(storm.woken.get(id)).toBe(`to ${id}`);
    for (const id of expiring) expect(storm.woken.get(id)).toBe("expired");
    // Each question is two facts, however often they were sent or tried, and the stream tells each once.
    const facts = 2 * (STORM_SIZE + EXPIRING);
    await eventually(() => reader.frames().length >= facts, { withinMs: 20_000 });
    const positions = reader.frames().map(({ id }) => Number(id));
    expect(positions).toEqual(Array.from({ length: facts }, (_, each) => 1 + each));
    await reader.stop();
    const counted = await eventually(
      async () => {
        const reply = await conversation.listed("?status=answered&page_size=1", facts);
        expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
        return reply;
      },
      { withinMs: 20_000, everyMs: 200 },
    );
    expect(counted.json["total"]).toBe(STORM_SIZE);
    expect((await conversation.list("?status=expired&page_size=1")).json["total"]).toBe(EXPIRING);
  },
);

it(
  "a second dev in the same home says so and how to go on, and harms nothing",
  { timeout: 60_000 },
  async () => {
    const second = startChild(["dev"], environment);
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(home);
    expect(second.output()).toMatch(/another .* is running/);
    expect(second.output()).toMatch(/stop it, or set INTERLUDE_HOME/);
    expect(second.output()).not.toMatch(/\n\s+at /);
    const { url } = devFile();
    expect((await send(`${url}/readyz`)).status).toBe(200);
  },
);

it(
  "dev whose embedded servers are killed starts them again and serves on their data",
  { timeout: 60_000 },
  async () => {
    const { url, key, processes } = devFile();
    expect(processes).toHaveLength(2);
    for (const pid of processes) process.kill(pid, "SIGKILL");
    await eventually(() => devFile().processes.every((pid) => !processes.includes(pid) && isAlive(pid)), {
      withinMs: 30_000,
    });
    await eventually(async () => (await send(`${url}/readyz`)).text.includes('"ok"'), { withinMs: 30_000 });
    const { json } = await send(`${url}/api/interactions/survives-000010`, { key });
    expect(json["answer"]).toBe("to survives-000010");
  },
);

it("Ctrl-C ends it with 0, leaving no server and no dev.json", { timeout: 60_000 }, async () => {
  const { processes } = devFile();
  expect(await running?.interrupt()).toBe(0);
  running = undefined;
  await eventually(() => !processes.some(isAlive));
  expect(() => readFileSync(join(home, "dev.json"))).toThrow();
});

it("dev on a taken port says which, and how to mend it", { timeout: 60_000 }, async () => {
  const squatter = createServer();
  squatter.listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const address = squatter.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const child = startChild(["dev"], { ...environment, PORT: String(port) });
  expect(await child.exited).toBe(1);
  squatter.close();
  expect(child.output()).toMatch(new RegExp(`port ${port} is taken: stop what listens there, or set PORT`));
  expect(child.output()).not.toMatch(/\n\s+at /);
});

it.each([
  ["INTERACTIONS_PUBLIC_BASE_URL", "http://example.com"],
  ["INTERACTIONS_PUBLIC_BASE_URL", "https://a.example/path"],
  ["INTERACTIONS_PUBLIC_BASE_URL", "example.com"],
  ["PORT", "70000"],
  ["INTERLUDE_MAX_STREAMS", "-1"],
  ["INTERLUDE_REMOTE_MEDIA", "sometimes"],
  ["INTERLUDE_TICKET_KEYS", "not a key"],
])("dev with %s=%s refuses to start, naming it", async (name, value) => {
  const child = startChild(["dev"], { ...environment, [name]: value });
  expect(await child.exited).toBe(1);
  expect(child.output().toUpperCase()).toContain(name.replace(/^INTERLUDE_(?=MAX|REMOTE)/, ""));
  expect(child.output()).not.toMatch(/\n\s+at /);
});
