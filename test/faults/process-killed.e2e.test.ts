import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { eventually, temporaryHome } from "@interlude/testing";
import { afterAll, expect, it } from "vitest";
import { type Child, startChild } from "../support/child-process.ts";
import { send } from "../support/send.ts";

const home = temporaryHome("killed");
const environment = { INTERLUDE_HOME: home, INTERLUDE_DEMO: "0", PORT: "0" };
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it(
  "dev killed by SIGKILL and started again goes on with all it had accepted",
  { timeout: 120_000 },
  async () => {
    running = startChild(["dev"], environment);
    await running.says(/is ready/, 60_000);
    const first = devFile();
    const ids = Array.from({ length: 60 }, (_, each) => `survives-${each}`);
    const ask = (id: string) =>
      send(`${first.url}/api/interactions`, {
        key: first.key,
        json: { id, question: `${id}?`, timeout_seconds: id === "survives-0" ? 2 : 600 },
      });
    const answer = (at: DevFile, id: string) =>
      send(`${at.url}/api/interactions/${id}/answer`, {
        key: at.key,
        json: { answer: `to ${id}` },
        headers: { "idempotency-key": id },
      });

    for (const id of ids.slice(0, 30)) expect((await ask(id)).status).toBe(201);
    const accepted = new Set(ids.slice(0, 30));
    const answered = new Set<string>();
    // Killed in the middle of a burst: what was acknowledged before is what must be there.
    const burst = [
      ...ids.slice(30).map(async (id) => (await ask(id)).status === 201 && accepted.add(id)),
      ...ids.slice(10, 30).map(async (id) => (await answer(first, id)).status === 200 && answered.add(id)),
    ];
    const settled = Promise.allSettled(burst);
    await Promise.race(burst);
    await running.kill();
    await settled;

    running = startChild(["dev"], environment);
    await running.says(/is ready/, 60_000);
    const second = devFile();
    expect([second.url, second.key]).toEqual([first.url, first.key]);
    for (const id of accepted) {
      const { json } = await send(`${second.url}/api/interactions/${id}`, { key: second.key });
      expect(json["question"]).toBe(`${id}?`);
      if (answered.has(id)) expect(json["answer"]).toBe(`to ${id}`);
    }
    for (const id of ids.slice(10, 30)) expect((await answer(second, id)).status).toBe(200);
    const events = await send(`${second.url}/api/interactions/survives-10/events`, { key: second.key });
    expect(events.json["items"]).toHaveLength(2);
    await eventually(async () => {
      const { json } = await send(`${second.url}/api/interactions?status=all`, { key: second.key });
      return Number(json["total"]) >= accepted.size;
    });
    // The deadline that passed meanwhile was held by the dead process; the log hands it on when it stays silent.
    await eventually(
      async () => {
        const { json } = await send(`${second.url}/api/interactions/survives-0/result`, { key: second.key });
        return json["status"] === "expired";
      },
      { withinMs: 30_000 },
    );
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
    const { json } = await send(`${url}/api/interactions/survives-10`, { key });
    expect(json["answer"]).toBe("to survives-10");
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
