import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, connect } from "@interlude/sdk";
import { createDatabase } from "@interlude/testing";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "examples/README.md"), "utf8");

let interlude: Interlude;
let checkpoints: Awaited<ReturnType<typeof createDatabase>>;
let answerer: Client;
const running: ChildProcess[] = [];

beforeAll(async () => {
  interlude = await startInterlude();
  checkpoints = await createDatabase(inject("postgresUrl"));
  answerer = connect({ url: interlude.url, apiKey: interlude.keys.answerer });
});

afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

afterAll(async () => {
  await answerer.close();
  await interlude.stop();
  await checkpoints.drop();
});

/** A line of the page's, run as it stands there. */
function run(line: string) {
  expect(PAGE).toContain(`\n${line}\n`);
  const [command = "", ...rest] = line.split(" ");
  return command === "npx"
    ? listen(process.execPath, ["--import", "tsx", ...rest.slice(1)])
    : listen(command, rest);
}

function listen(command: string, given: readonly string[]) {
  const child = spawn(command, given, options());
  running.push(child);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { child, said: () => text };
}

function options() {
  return {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      INTERLUDE_URL: interlude.url,
      INTERLUDE_API_KEY: interlude.keys.asker,
      DATABASE_URL: checkpoints.url,
    },
    stdio: ["ignore", "pipe", "inherit"] as ["ignore", "pipe", "inherit"],
  };
}

async function ended(started: ReturnType<typeof run>) {
  const [code, signal] = (await once(started.child, "exit")) as [number | null, string | null];
  return { code, signal, said: started.said() };
}

async function answer(text: string, value: string | boolean): Promise<void> {
  const find = async () =>
    (await answerer.list({ pageSize: 200 })).items.find(({ question }) => question.includes(text));
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  await answerer.answer((await find())?.interactionId ?? "", value);
}

describe("the page of the LangGraph driver", () => {
  it("shows a program that runs", { timeout: 90_000 }, async () => {
    const page = readFileSync(join(ROOT, "clients/langgraph/README.md"), "utf8");
    const program = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code).join("\n");
    // Where the packages that the page imports are found, and no commit would take it along.
    const file = join(ROOT, "test/node_modules", `.langgraph-${process.pid}.mts`);
    writeFileSync(file, program);
    try {
      const { said } = listen(process.execPath, ["--import", "tsx", file]);
      await answer("Which hotel in Graz?", "Edelweiss");
      await answer("Fly to Graz?", true);
      await expect
        .poll(said, { timeout: 30_000 })
        .toMatch(/^suspended\ntrip-\d+ finished \{ city: 'Graz', hotel: 'Edelweiss', approved: true \}\n$/);
    } finally {
      rmSync(file);
    }
  });
});

describe("the examples, run as their page says", { timeout: 90_000 }, () => {
  it("an agent asks three at once, is killed, and is finished by another process after the last answer", async () => {
    const start = await ended(run("npx tsx examples/langgraph-agent/main.ts start dinner-1"));
    expect(start).toMatchObject({
      signal: "SIGKILL",
      said: expect.stringContaining("dinner-1 is suspended") as string,
    });
    const { said } = run("npx tsx examples/langgraph-agent/main.ts work");
    for (const [who, wish] of [
      ["Cy", "rice"],
      ["Ana", "pizza"],
      ["Bo", "soup"],
    ] as const)
      await answer(`${who},`, wish);
    const line = "dinner-1: Dinner: Ana wants pizza, Bo wants soup, Cy wants rice.";
    expect(PAGE).toContain(line);
    await expect.poll(said, { timeout: 30_000 }).toContain(line);
  });

  it("a flow asks again when it was not approved, and goes on with the answer to that", async () => {
    const start = await ended(run("npx tsx examples/plain-flow/main.ts start order-1"));
    expect(start).toMatchObject({ code: 0, said: "order-1 waits for 2 answers\n" });
    const { said } = run("npx tsx examples/plain-flow/main.ts work");
    await answer("Finance: may order-1", true);
    await answer("Legal: may order-1", false);
    await answer("order-1 was not approved", "ship");
    await expect.poll(said, { timeout: 30_000 }).toContain("order-1: shipped");
  });

  const hasPython = spawnSync("python3", ["--version"]).status === 0;
  it.skipIf(!hasPython)("a worker in Python asks, parks and goes on [needs python3]", async () => {
    const start = await ended(run("python3 examples/python-worker/worker.py start count-1"));
    expect(start).toMatchObject({
      code: 0,
      said: expect.stringContaining("count-1 waits for py-") as string,
    });
    const { said } = run("python3 examples/python-worker/worker.py work");
    await answer("count-1: how many?", "three");
    await expect.poll(said, { timeout: 30_000 }).toContain("count-1: three (fencing ");
    const client = connect({ url: interlude.url, apiKey: interlude.keys.asker });
    await expect
      .poll(async () => (await client.getRun("python", "count-1")).state, { timeout: 10_000 })
      .toBe("resumed");
    await client.close();
    const lines = readFileSync(join(ROOT, "examples/python-worker/worker.py"), "utf8").trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(60);
  });
});
