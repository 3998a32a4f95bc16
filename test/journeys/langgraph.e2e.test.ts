import { spawn } from "node:child_process";
import { once } from "node:events";
import { RedisCheckpointSaver } from "@interlude/checkpoint-redis";
import {
  askUser,
  type Drivable,
  isExpired,
  langgraphDriver,
  type LanggraphDriverOptions,
  type Outcome,
  type SettledRun,
} from "@interlude/langgraph";
import { type Client, connect, InteractionCancelledError } from "@interlude/sdk";
import { canHaveRedis, createDatabase, startRedisForTests } from "@interlude/testing";
import {
  Annotation,
  type BaseCheckpointSaver,
  Command,
  entrypoint,
  interrupt,
  START,
  StateGraph,
  task,
} from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { TRIP_OUT, tripGraph } from "../support/trip-graph.ts";

let interlude: Interlude;
let checkpoints: Awaited<ReturnType<typeof createDatabase>>;
let postgres: PostgresSaver;
let answerer: Client;
const clients: Client[] = [];

beforeAll(async () => {
  interlude = await startInterlude({ settings: { resume_lease_seconds: 4 } });
  answerer = connect({ url: interlude.url, apiKey: interlude.keys.answerer });
  checkpoints = await createDatabase(inject("postgresUrl"));
  postgres = PostgresSaver.fromConnString(checkpoints.url);
  await postgres.setup();
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

afterAll(async () => {
  await answerer.close();
  await interlude.stop();
  await postgres.end();
  await checkpoints.drop();
});

function asker(options: Partial<Parameters<typeof connect>[0]> = {}): Client {
  const client = connect({ url: interlude.url, apiKey: interlude.keys.asker, ...options });
  clients.push(client);
  return client;
}

let names = 0;
function newName(): string {
  names += 1;
  return `graph-${names}-${Date.now()}`;
}

type Suspended = Extract<Outcome, { status: "suspended" }>;

function suspended(outcome: Outcome): Suspended {
  if (outcome.status === "suspended") return outcome;
  throw new Error(`the run is ${outcome.status}`);
}

/** The questions of a receipt, by their text. */
async function questionsOf({ interactionIds }: Suspended): Promise<Map<string, string>> {
  const items = await Promise.all(interactionIds.map((id) => answerer.get(id)));
  return new Map(items.map(({ question, interactionId }) => [question, interactionId]));
}

async function driving(name: string, graph: Drivable, options: Partial<LanggraphDriverOptions> = {}) {
  const settled: SettledRun[] = [];
  const driver = await langgraphDriver(asker(), {
    ...{ name, graph },
    onSettled: (run) => {
      settled.push(run);
    },
    ...options,
  });
  return { driver, settled };
}

const starting = (name: string, graph: Drivable) => driving(name, graph, { resumes: false });

async function idOf(question: string, asked: Map<string, string>): Promise<string> {
  const id = asked.get(question);
  if (id === undefined) throw new Error(`nobody asked ${question}`);
  return Promise.resolve(id);
}

/** The question of that text that is open on a thread's newest park. */
async function openQuestion(name: string, threadId: string, question: string): Promise<string> {
  const find = async () => {
    const { items } = await answerer.list({ q: question.replace("?", ""), pageSize: 200 });
    for (const item of items) {
      const { items: runs } = await asker().listRuns({ driver: name, interactionId: item.interactionId });
      if (runs.some(({ runId }) => runId === threadId) && item.question === question)
        return item.interactionId;
    }
    return undefined;
  };
  await expect.poll(find, { timeout: 20_000 }).toBeDefined();
  return (await find()) ?? "";
}

async function stateOf(name: string, threadId: string) {
  return (await asker().getRun(name, threadId)).state;
}

const outOf = ({ values }: { values: unknown }): string[] => {
  const { out } = values as { out: string[] };
  return [...out.slice(0, 3).sort(), ...out.slice(3)];
};

describe("a graph's run", () => {
  it("A-RES-2, A-RES-5: is parked once on every question of its step, and goes on elsewhere to its end", async () => {
    const name = newName();
    const starter = await starting(name, tripGraph(postgres));
    const receipt = suspended(await starter.driver.start("user@example.com/trip 1", { out: [] }));
    expect(receipt).toMatchObject({ threadId: "user@example.com/trip 1", interrupts: [] });
    expect(receipt.interactionIds).toEqual([...receipt.interactionIds].sort());
    const asked = await questionsOf(receipt);
    expect([...asked.keys()].sort()).toEqual(["hotel?", "seat?", "train?"]);

    const worker = await driving(name, tripGraph(postgres), { result: (values) => outOf({ values }) });
    await answerer.answer(await idOf("seat?", asked), "aisle");
    await answerer.answer(await idOf("train?", asked), "early");
    expect(worker.settled).toEqual([]);
    await answerer.answer(await idOf("hotel?", asked), "");
    const last = await openQuestion(name, "user@example.com/trip 1", "confirm?");
    await answerer.answer(last, "go");
    await expect.poll(() => worker.settled.at(-1)?.status, { timeout: 20_000 }).toBe("finished");
    expect(worker.settled.map(({ status }) => status)).toEqual(["suspended", "finished"]);
    const answers: Record<string, string> = { hotel: "", train: "early", seat: "aisle", confirm: "go" };
    expect(outOf(worker.settled[1] ?? { values: {} })).toEqual(TRIP_OUT((of) => answers[of] ?? "?"));
    await expect.poll(() => stateOf(name, "user@example.com/trip 1"), { timeout: 10_000 }).toBe("resumed");
  });

  it("goes on without an answer that never came", async () => {
    const name = newName();
    const { driver, settled } = await driving(name, tripGraph(postgres));
    const receipt = suspended(await driver.start(name, { out: [], minutes: 0.04 }));
    await answerer.answer(await idOf("train?", await questionsOf(receipt)), "late");
    await expect.poll(() => settled.at(-1)?.status, { timeout: 30_000 }).toBe("finished");
    expect(outOf(settled.at(-1) ?? { values: {} })).toEqual(
      TRIP_OUT((of) => (of === "train" ? "late" : "nobody")),
    );
  });

  it("that broke off between asking and parking is started again without a second question", async () => {
    const name = newName();
    const cut = asker({
      retrySeconds: 0.5,
      fetch: (url, init) =>
        url.endsWith("/park") ? Promise.reject(new TypeError("cut off")) : fetch(url, init),
    });
    const broken = await langgraphDriver(cut, { name, graph: tripGraph(postgres), resumes: false });
    await expect(broken.start(name, { out: [] })).rejects.toMatchObject({ code: "unreachable" });
    const asked = (await answerer.list({ q: "hotel", asker: "ann", pageSize: 200 })).total;

    const { driver, settled } = await driving(name, tripGraph(postgres));
    const receipt = suspended(await driver.start(name, { out: ["never applied"] }));
    const again = suspended(await driver.start(name, null));
    expect(again).toEqual(receipt);
    expect((await answerer.list({ q: "hotel", asker: "ann", pageSize: 200 })).total).toBe(asked);
    for (const id of receipt.interactionIds) await answerer.answer(id, "x");
    await expect.poll(() => settled.length, { timeout: 20_000 }).toBe(1);
    expect((settled[0]?.values as { out: string[] }).out).not.toContain("never applied");
  });

  it("whose thread was given something else does not go back for old answers", async () => {
    const name = newName();
    const { driver, settled } = await driving(name, tripGraph(postgres));
    const old = suspended(await driver.start(name, { out: [] }));
    const anew = suspended(await driver.start(name, { out: ["anew"] }, { abandon: true }));
    expect(anew.interactionIds.filter((id) => old.interactionIds.includes(id))).toEqual([]);
    for (const id of old.interactionIds) await answerer.answer(id, "old");
    // The old park is completed, without effect: the run then stands where its newest does.
    const stateOfOld = async () => {
      const { items } = await asker().listRuns({ interactionId: old.interactionIds[0] ?? "" });
      return items.find(({ parkId }) => parkId === old.parkId)?.state ?? "over";
    };
    await expect.poll(stateOfOld, { timeout: 20_000 }).not.toMatch(/parked|resuming/);
    expect(settled).toEqual([]);
    for (const id of anew.interactionIds) await answerer.answer(id, "new");
    await expect.poll(() => settled.length, { timeout: 20_000 }).toBe(1);
    expect((settled[0]?.values as { out: string[] }).out).toContain("hotel: new");
  });

  it(
    "is finished by another worker when the first is killed in the middle",
    { timeout: 90_000 },
    async () => {
      const name = newName();
      const starter = await starting(name, tripGraph(postgres));
      const receipt = suspended(await starter.driver.start(name, { out: [] }));
      // The graph comes to rest at its next question, which is then neither asked nor parked.
      const program = `
      import { langgraphDriver } from "@interlude/langgraph";
      import { connect } from "@interlude/sdk";
      import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
      import { tripGraph } from "../support/trip-graph.ts";
      const { URL: url, KEY: apiKey, NAME: name, DATABASE: database } = process.env;
      await langgraphDriver(connect({ url, apiKey }), {
        name,
        graph: tripGraph(PostgresSaver.fromConnString(database)),
        onSettled: () => {
          console.log("settled");
          return new Promise(() => undefined);
        },
      });`;
      const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
        cwd: import.meta.dirname,
        env: {
          PATH: process.env["PATH"],
          ...{ URL: interlude.url, KEY: interlude.keys.asker, NAME: name, DATABASE: checkpoints.url },
        },
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        for (const id of receipt.interactionIds) await answerer.answer(id, "x");
        let said = "";
        while (!said.includes("settled")) said += String((await once(child.stdout, "data"))[0]);
        child.kill("SIGKILL");
        const worker = await driving(name, tripGraph(postgres));
        await answerer.answer(await openQuestion(name, name, "confirm?"), "go");
        await expect.poll(() => worker.settled.at(-1)?.status, { timeout: 30_000 }).toBe("finished");
        expect(outOf(worker.settled.at(-1) ?? { values: {} })).toEqual(
          TRIP_OUT((of) => (of === "confirm" ? "go" : "x")),
        );
      } finally {
        child.kill("SIGKILL");
      }
    },
  );

  it("shows interrupts of another kind, which do not park it", async () => {
    const name = newName();
    const State = Annotation.Root({ ours: Annotation<string>(), theirs: Annotation<string>() });
    const graph = new StateGraph(State)
      .addNode("ask", async () => ({ ours: await said("ours?") }))
      .addNode("review", () => ({ theirs: interrupt<string, string>("theirs?") }))
      .addEdge(START, "ask")
      .addEdge(START, "review")
      .compile({ checkpointer: postgres });
    const { driver, settled } = await driving(name, graph);
    const both = suspended(await driver.start(name, {}));
    expect(both.interrupts).toMatchObject([{ value: "theirs?" }]);
    await answerer.answer(both.interactionIds[0] ?? "", "A");
    await expect.poll(() => settled, { timeout: 20_000 }).toMatchObject([{ status: "interrupted" }]);
    const id = settled[0]?.interrupts[0]?.id ?? "";
    expect(await driver.start(name, new Command({ resume: { [id]: "B" } }))).toMatchObject({
      status: "finished",
      values: { ours: "A", theirs: "B" },
    });
  });

  it("learns that its question was cancelled, and fails for good where it does not want to know", async () => {
    const name = newName();
    const State = Annotation.Root({ catches: Annotation<boolean>(), said: Annotation<string>() });
    const graph = new StateGraph(State)
      .addNode("ask", async ({ catches }) => {
        try {
          return { said: await said("cancelled?") };
        } catch (error) {
          if (catches && error instanceof InteractionCancelledError)
            return { said: `cancelled: ${error.reason ?? ""}` };
          throw error;
        }
      })
      .addEdge(START, "ask")
      .compile({ checkpointer: postgres });
    const { driver, settled } = await driving(name, graph);
    for (const catches of [true, false]) {
      const receipt = suspended(await driver.start(`${name} ${catches}`, { catches }));
      await asker().cancel(receipt.interactionIds[0] ?? "", { reason: "no need" });
    }
    await expect
      .poll(() => settled, { timeout: 20_000 })
      .toMatchObject([{ values: { said: "cancelled: no need" } }]);
    await expect
      .poll(() => asker().getRun(name, `${name} false`), { timeout: 20_000 })
      .toMatchObject({ state: "failed", attempts: 1, reason: "The question was cancelled: no need" });
  });

  it("is refused where nothing could bring it back, with nothing asked", async () => {
    const flow = entrypoint({ name: "flow", checkpointer: postgres }, () =>
      askUser({ question: "?", expiryAt: soon() }),
    );
    await expect(flow.invoke({}, { configurable: { thread_id: newName() } })).rejects.toThrow(
      /no driver that could resume this run/,
    );
  });
});

async function said(question: string): Promise<string> {
  const answer = await askUser({ question, expiryAt: soon() });
  return isExpired(answer) ? "nobody" : answer;
}

const soon = () => new Date(Date.now() + 3_600_000);
const hasRedis = await canHaveRedis();

describe.skipIf(!hasRedis)("on plain Redis [needs a Redis server]", () => {
  let server: Awaited<ReturnType<typeof startRedisForTests>>;
  const savers: RedisCheckpointSaver[] = [];

  beforeAll(async () => {
    server = await startRedisForTests();
  });
  afterAll(async () => {
    for (const saver of savers) await saver.end();
    await server.stop();
  });
  async function redis(retentionSeconds?: number): Promise<BaseCheckpointSaver> {
    const options = { keyPrefix: `langgraph-${crypto.randomUUID()}` };
    const saver = await RedisCheckpointSaver.fromUrl(
      server.url,
      retentionSeconds === undefined ? options : { ...options, retentionSeconds },
    );
    savers.push(saver);
    return saver;
  }

  it("a flow asks from its tasks at once, and goes on with all of them", async () => {
    const name = newName();
    const asking = task("asking", async (question: string) => {
      const answer = await askUser({ question, answerFormat: "confirm", expiryAt: soon() });
      return isExpired(answer) ? "nobody" : answer;
    });
    const flow = entrypoint({ name: "flow", checkpointer: await redis() }, async (questions: string[]) => {
      const answers = await Promise.all(questions.map((question) => asking(question)));
      return { answers };
    });
    const { driver, settled } = await driving(name, flow as never);
    const receipt = suspended(await driver.start(name, ["one?", "two?", "three?"]));
    const asked = await questionsOf(receipt);
    await answerer.answer(await idOf("three?", asked), true);
    await answerer.answer(await idOf("one?", asked), false);
    await answerer.answer(await idOf("two?", asked), true);
    await expect
      .poll(() => settled, { timeout: 20_000 })
      .toMatchObject([{ status: "finished", values: { answers: [false, true, true] } }]);
  });

  it("a step is refused as a whole when one of its questions outlives the retention", async () => {
    const name = newName();
    const { driver } = await starting(name, tripGraph(await redis(600)));
    const error: unknown = await driver.start(name, { out: [] }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "validation_failed", errors: [{}, {}, {}] });
    expect(String(error)).toMatch(/of interaction a_[\w-]+ lies beyond \d{4}-/);
    await expect(asker().getRun(name, name)).rejects.toMatchObject({ code: "not_found" });
  });
});
