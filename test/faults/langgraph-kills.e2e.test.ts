import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { langgraphDriver } from "@interlude/langgraph";
import { type Client, connect } from "@interlude/sdk";
import { createDatabase } from "@interlude/testing";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { NESTED_QUESTIONS, nestedGraph, nestedOut, twiceFlow } from "../support/nested-graph.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const RUNS = 6;
const KILLS = 6;
const FLOW_QUESTIONS = 5;

let interlude: Interlude;
let checkpoints: Awaited<ReturnType<typeof createDatabase>>;
let saver: PostgresSaver;
let asker: Client;
let answerer: Client;

beforeAll(async () => {
  interlude = await startInterlude({ settings: { resume_lease_seconds: 2, resume_attempts: 50 } });
  checkpoints = await createDatabase(inject("postgresUrl"));
  saver = PostgresSaver.fromConnString(checkpoints.url);
  await saver.setup();
  asker = connect({ url: interlude.url, apiKey: interlude.keys.asker });
  answerer = connect({ url: interlude.url, apiKey: interlude.keys.answerer });
});

afterAll(async () => {
  await asker.close();
  await answerer.close();
  await interlude.stop();
  await saver.end();
  await checkpoints.drop();
});

const WORKER = `
  import { langgraphDriver } from "@interlude/langgraph";
  import { connect } from "@interlude/sdk";
  import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
  import { nestedGraph, twiceFlow } from "../support/nested-graph.ts";
  const { URL: url, KEY: apiKey, DATABASE: database } = process.env;
  const client = connect({ url, apiKey });
  const saver = PostgresSaver.fromConnString(database);
  await langgraphDriver(client, { name: "nested", graph: nestedGraph(saver), concurrency: 4 });
  await langgraphDriver(client, { name: "flows", graph: twiceFlow(saver), concurrency: 4 });
  console.log("up");`;

function startWorker(): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", WORKER], {
    cwd: import.meta.dirname,
    env: {
      PATH: process.env["PATH"],
      ...{ URL: interlude.url, KEY: interlude.keys.asker, DATABASE: checkpoints.url },
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Answers whatever is asked from now on, each question by its own text, until told to end. */
async function startAnswering(): Promise<{ answered: ReadonlySet<string>; end(): Promise<void> }> {
  const answered = new Set<string>();
  const stop = new AbortController();
  let work = Promise.resolve();
  await new Promise<void>((resolve) => {
    const onOpen = () => {
      resolve();
    };
    work = (async () => {
      for await (const frame of answerer.stream({ signal: stop.signal, onOpen })) {
        if (frame.type !== "add") continue;
        const { interactionId, question } = frame.item;
        answered.add(interactionId);
        await answerer.answer(interactionId, `${question} answered`);
      }
    })();
  });
  return {
    answered,
    async end() {
      stop.abort();
      await work;
    },
  };
}

describe("workers that are killed at any moment", () => {
  it(
    "lose no run, ask nothing twice, and give no answer to another question",
    { timeout: 180_000 },
    async () => {
      const answering = await startAnswering();
      const starters = [
        await langgraphDriver(asker, { name: "nested", graph: nestedGraph(saver), resumes: false }),
        await langgraphDriver(asker, { name: "flows", graph: twiceFlow(saver) as never, resumes: false }),
      ];
      for (let run = 0; run < RUNS; run += 1) {
        await starters[0]?.start(`nested-${run}`, { out: [] });
        await starters[1]?.start(`flow-${run}`, ["x", "y"]);
      }
      for (let kill = 0; kill < KILLS; kill += 1) {
        const worker = startWorker();
        if (worker.stdout !== null) await once(worker.stdout, "data");
        // Whenever: that is what is tested.
        await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 500));
        worker.kill("SIGKILL");
      }
      const survivor = startWorker();
      try {
        const states = async () => {
          const { items } = await asker.listRuns();
          return new Set(items.map(({ state }) => state));
        };
        await expect.poll(states, { timeout: 90_000, interval: 500 }).toEqual(new Set(["resumed"]));
      } finally {
        survivor.kill("SIGKILL");
        await answering.end();
      }
      for (let run = 0; run < RUNS; run += 1) {
        const { values, tasks } = await nestedGraph(saver).getState({
          configurable: { thread_id: `nested-${run}` },
        });
        expect(tasks).toEqual([]);
        const { out } = values as { out: string[] };
        expect([...out].sort()).toEqual(nestedOut((question) => `${question} answered`));
      }
      expect(answering.answered.size).toBe(RUNS * (NESTED_QUESTIONS + FLOW_QUESTIONS));
    },
  );
});
