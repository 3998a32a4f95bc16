import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Client,
  connect,
  type ConnectOptions,
  type DriverOptions,
  type Driver,
  type Resumption,
  RunFailedError,
  Suspended,
  SuspendedRun,
} from "@interlude/sdk";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const SECONDS = 4;
const SECRET = "continuations";

let interlude: Interlude;
let answerer: Client;
const clients: Client[] = [];

/** What the service posts to, and by what it is answered. */
let receiver: Server;
let receiving: Driver | undefined;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
      const signature = String(request.headers["interlude-signature"]);
      const received = await receiving?.receive({
        rawBody: Buffer.concat(chunks),
        signature,
        secret: SECRET,
      });
      response.writeHead(received?.status ?? 503).end(received?.body);
    };
    answer().catch(() => response.writeHead(401).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  interlude = await startInterlude({
    settings: { resume_lease_seconds: SECONDS },
    secrets: { hook: SECRET },
    env: { INTERLUDE_CONTINUATION_URLS: originOf(receiver) },
  });
  answerer = connect({ url: interlude.url, apiKey: interlude.keys.answerer });
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

afterAll(async () => {
  await answerer.close();
  await interlude.stop();
  receiver.close();
});

function originOf(server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** A program of its own: stopped after its test. */
function asker(through?: ConnectOptions["fetch"]): Client {
  const client = connect({ url: interlude.url, apiKey: interlude.keys.asker, fetch: through });
  clients.push(client);
  return client;
}

let names = 0;
function newName(): string {
  names += 1;
  return `sdk-${names}-${Date.now()}`;
}

function driver(name: string, options: Partial<DriverOptions> = {}) {
  return asker().driver({ name, checkpointer: { kind: "postgres" }, ...options });
}

const soon = () => new Date(Date.now() + 3_600_000);

function parked(receipt: unknown): SuspendedRun {
  if (receipt instanceof SuspendedRun) return receipt;
  throw new Error("the run has not parked");
}

/** A handler that keeps what it was given. */
function recorder<T>(then: (resumption: Resumption) => T) {
  const calls: Resumption[] = [];
  return {
    calls,
    resume: (resumption: Resumption) => {
      calls.push(resumption);
      return then(resumption);
    },
  };
}

async function stateOf(name: string, runId: string) {
  return asker().getRun(name, runId);
}

describe("a run that parks", () => {
  it("A-RES-2: goes on once, elsewhere, with every answer and the marker of what expired", async () => {
    const name = newName();
    const starter = await driver(name);
    const receipt = parked(
      await starter.run("trip 1", async (run) => {
        const first = await run.askUser({
          question: "Go?",
          answerFormat: "confirm",
          mode: "async",
          expiryAt: soon(),
        });
        expect(first).toBeInstanceOf(Suspended);
        await run.askUser({ question: "Why?", mode: "async", expiryAt: soon() });
        await run.askUser({ question: "Nobody?", mode: "async", expiryAt: new Date(Date.now() + 2_500) });
      }),
    );
    await starter.stop();
    const questions = await Promise.all(receipt.interactionIds.map((id) => answerer.get(id)));
    const idOf = (text: string) => questions.find(({ question }) => question === text)?.interactionId ?? "";
    expect(receipt).toMatchObject({
      runId: "trip 1",
      expiryAt: questions.map(({ timeoutAt }) => timeoutAt).sort()[0],
    });
    expect(await stateOf(name, "trip 1")).toMatchObject({
      state: "parked",
      remaining: 3,
      parkId: receipt.parkId,
    });

    const worker = recorder(() => ({ booked: true }));
    await driver(name, worker);
    await answerer.answer(idOf("Why?"), "because");
    await answerer.answer(idOf("Go?"), false);
    await expect.poll(() => worker.calls.length, { timeout: 20_000 }).toBe(1);
    const [resumption] = worker.calls;
    expect(resumption).toMatchObject({
      ...{ runId: "trip 1", parkId: receipt.parkId, identity: { subject: "ann", groups: ["sales"] } },
    });
    const ends = new Map(resumption?.resolutions.map((each) => [each.interactionId, each]));
    expect(ends.get(idOf("Go?"))).toMatchObject({ status: "answered", answer: false, answeredBy: "bob" });
    expect(ends.get(idOf("Why?"))).toMatchObject({ status: "answered", answer: "because" });
    expect(ends.get(idOf("Nobody?"))).toMatchObject({
      status: "expired",
      answer: { interaction_expired: true },
    });
    await expect.poll(() => stateOf(name, "trip 1"), { timeout: 10_000 }).toMatchObject({ state: "resumed" });
    expect(worker.calls).toHaveLength(1);
  });

  it("parks again as often as it asks again, and ends with the last", async () => {
    const name = newName();
    const rounds: unknown[] = [];
    await driver(name, {
      resume: async ({ resolutions }, run) => {
        rounds.push(resolutions[0]?.answer);
        if (rounds.length < 3) {
          await run.askUser({ question: `Round ${rounds.length + 1}?`, mode: "async", expiryAt: soon() });
        }
      },
    });
    const starter = await driver(name);
    await starter.run("r", (run) => run.askUser({ question: "Round 1?", mode: "async", expiryAt: soon() }));
    for (let round = 1; round <= 3; round += 1) {
      const question = `Round ${round}?`;
      const find = async () => (await answerer.list({ q: question, asker: "ann" })).items.at(-1);
      await expect.poll(find, { timeout: 20_000 }).toBeDefined();
      await answerer.answer((await find())?.interactionId ?? "", `answer ${round}`);
    }
    await expect.poll(() => rounds, { timeout: 20_000 }).toEqual(["answer 1", "answer 2", "answer 3"]);
    await expect.poll(() => stateOf(name, "r"), { timeout: 10_000 }).toMatchObject({ state: "resumed" });
  });

  it("asks a person and waits in the middle of a resume, by the claim's own token", async () => {
    const name = newName();
    let said: unknown;
    await driver(name, {
      resume: async (_, run) => {
        said = await run.askUser({ key: "now", question: "And right now?", timeoutSeconds: 60 });
      },
    });
    const starter = await driver(name);
    const receipt = parked(
      await starter.run("r", (run) => run.askUser({ question: "?", mode: "async", expiryAt: soon() })),
    );
    await answerer.answer(receipt.interactionId, "x");
    const find = async () => (await answerer.list({ q: "right now", asker: "ann" })).items.at(-1);
    await expect.poll(find, { timeout: 20_000 }).toBeDefined();
    await answerer.answer((await find())?.interactionId ?? "", "yes");
    await expect.poll(() => said, { timeout: 20_000 }).toBe("yes");
  });

  it("of hundreds of questions comes back with all of them", { timeout: 120_000 }, async () => {
    const name = newName();
    const worker = recorder(({ resolutions }) => resolutions.length);
    await driver(name, worker);
    const starter = await driver(name);
    const receipt = parked(
      await starter.run("wide", async (run) => {
        for (let nth = 0; nth < 230; nth += 1) {
          await run.askUser({ key: `${nth}`, question: `Wide ${nth}?`, mode: "async", expiryAt: soon() });
        }
      }),
    );
    const waiting = receipt.interactionIds.entries();
    const answering = async () => {
      for (const [place, id] of waiting) await answerer.answer(id, `${place}`);
    };
    await Promise.all(Array.from({ length: 8 }, answering));
    await expect.poll(() => worker.calls.length, { timeout: 30_000 }).toBe(1);
    const given = worker.calls[0]?.resolutions.map(({ interactionId, answer }) => [interactionId, answer]);
    expect(new Map(given as [string, string][])).toEqual(
      new Map(receipt.interactionIds.map((id, place) => [id, `${place}`])),
    );
  });
});

describe("a worker", () => {
  it("that throws is asked again later, and its run fails for good only in the end; a replay mends it", async () => {
    const name = newName();
    const fencings: number[] = [];
    let isMended = false;
    await driver(name, {
      resume: ({ fencing }) => {
        fencings.push(fencing);
        if (isMended) return "mended";
        throw fencings.length === 1 ? new Error("no network") : new RunFailedError("no such order");
      },
    });
    const starter = await driver(name);
    const receipt = parked(
      await starter.run("r", (run) => run.askUser({ question: "?", mode: "async", expiryAt: soon() })),
    );
    await answerer.answer(receipt.interactionId, "x");
    await expect
      .poll(() => stateOf(name, "r"), { timeout: 20_000 })
      .toMatchObject({ state: "failed", attempts: 2, reason: "no such order" });
    isMended = true;
    await asker().replayRun(name, "r");
    await expect.poll(() => stateOf(name, "r"), { timeout: 20_000 }).toMatchObject({ state: "resumed" });
    expect(fencings).toHaveLength(3);
    expect(fencings).toEqual([...fencings].sort((one, other) => one - other));
  });

  it(
    "that is killed in the middle is followed by another, with a higher fencing",
    { timeout: 60_000 },
    async () => {
      const name = newName();
      const starter = await driver(name);
      const receipt = parked(
        await starter.run("r", (run) => run.askUser({ question: "?", mode: "async", expiryAt: soon() })),
      );
      const program = `
      import { connect } from "@interlude/sdk";
      const client = connect({ url: process.env.URL, apiKey: process.env.KEY });
      await client.driver({ name: process.env.NAME, checkpointer: { kind: "postgres" }, resume: ({ fencing }) => {
        console.log(fencing);
        return new Promise(() => undefined);
      } });`;
      const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
        cwd: import.meta.dirname,
        env: { PATH: process.env["PATH"], URL: interlude.url, KEY: interlude.keys.asker, NAME: name },
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        await answerer.answer(receipt.interactionId, "x");
        const [line] = (await once(child.stdout, "data")) as [Buffer];
        child.kill("SIGKILL");
        const worker = recorder(() => "done");
        await driver(name, worker);
        await expect.poll(() => worker.calls.length, { timeout: 30_000 }).toBe(1);
        expect(worker.calls[0]?.fencing).toBeGreaterThan(Number(line.toString()));
        await expect.poll(() => stateOf(name, "r"), { timeout: 10_000 }).toMatchObject({ state: "resumed" });
      } finally {
        child.kill("SIGKILL");
      }
    },
  );

  it("keeps a resume that takes longer than its lease", { timeout: 60_000 }, async () => {
    const name = newName();
    let [runs, heartbeats] = [0, 0];
    const slow: DriverOptions["resume"] = async ({ signal }) => {
      runs += 1;
      // Each comes a third of a lease after the one before: with the fourth the first lease would be over.
      await expect.poll(() => signal.aborted || heartbeats >= 4, { timeout: 40_000 }).toBe(true);
      return signal.aborted;
    };
    for (const _ of ["one", "another"]) {
      const client = asker((url, init) => {
        if (url.endsWith("/heartbeat")) heartbeats += 1;
        return fetch(url, init);
      });
      await client.driver({ name, checkpointer: { kind: "postgres" }, resume: slow });
    }
    const starter = await driver(name);
    const receipt = parked(
      await starter.run("r", (run) => run.askUser({ question: "?", mode: "async", expiryAt: soon() })),
    );
    await answerer.answer(receipt.interactionId, "x");
    await expect
      .poll(() => stateOf(name, "r"), { timeout: 30_000 })
      .toMatchObject({ state: "resumed", attempts: 1 });
    expect(runs).toBe(1);
  });

  it("that is stopped hands its resume to the next at once", async () => {
    const name = newName();
    let isBegun = false;
    const stopped = await driver(name, {
      resume: () => {
        isBegun = true;
        return new Promise(() => undefined);
      },
    });
    const receipt = parked(
      await stopped.run("r", (run) => run.askUser({ question: "?", mode: "async", expiryAt: soon() })),
    );
    await answerer.answer(receipt.interactionId, "x");
    await expect.poll(() => isBegun, { timeout: 20_000 }).toBe(true);
    await stopped.stop({ graceSeconds: 0 });
    const worker = recorder(() => "done");
    await driver(name, worker);
    await expect
      .poll(() => stateOf(name, "r"), { timeout: 20_000 })
      .toMatchObject({ state: "resumed", attempts: 2 });
  });
});

describe("a service that is posted to", () => {
  it("goes on within the request, asks again, and ends with what it answers", async () => {
    const name = newName();
    const given: unknown[] = [];
    receiving = await driver(name, {
      deliver: { url: `${originOf(receiver)}/resume`, secretRef: "hook" },
      resume: async ({ resolutions }, run) => {
        given.push(resolutions[0]?.answer);
        if (given.length === 2) return { given };
        await run.askUser({ id: `${name}-2`, question: "Second?", mode: "async", expiryAt: soon() });
        return undefined;
      },
    });
    await receiving.run("r", (run) =>
      run.askUser({ id: `${name}-1`, question: "First?", mode: "async", expiryAt: soon() }),
    );
    await answerer.answer(`${name}-1`, "one");
    await expect
      .poll(() => answerer.get(`${name}-2`).catch(() => undefined), { timeout: 20_000 })
      .toBeDefined();
    await answerer.answer(`${name}-2`, "two");
    await expect.poll(() => stateOf(name, "r"), { timeout: 20_000 }).toMatchObject({ state: "resumed" });
    expect(given).toEqual(["one", "two"]);
  });
});

describe("a park that is refused", () => {
  it("leaves no question open", async () => {
    const name = newName();
    const starter = await driver(name);
    const work = starter.run("r", async (run) => {
      await run.askUser({ id: `${name}-good`, question: "Good?", mode: "async", expiryAt: soon() });
      await run.askUser({ question: "Past?", mode: "async", expiryAt: new Date(Date.now() - 60_000) });
    });
    await expect(work).rejects.toMatchObject({ code: "validation_failed" });
    const kept = await answerer.get(`${name}-good`).catch(() => undefined);
    expect(kept?.status ?? "cancelled").toBe("cancelled");
  });

  it("names interaction, deadline and horizon of every question beyond the retention", async () => {
    const name = newName();
    const starter = await driver(name, { checkpointer: { kind: "redis", retentionSeconds: 60 } });
    const ids: string[] = [];
    const work = starter.run("r", async (run) => {
      for (const question of ["Late?", "Later?"]) {
        ids.push((await run.askUser({ question, mode: "async", expiryAt: soon() })).interactionId);
      }
    });
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    for (const id of ids) {
      expect(String(error)).toContain(`of interaction ${id} lies beyond`);
      await expect(answerer.get(id)).rejects.toMatchObject({ code: "not_found" });
    }
  });

  it("is refused outside of a run", async () => {
    const work = asker().askUser({ question: "?", mode: "async", expiryAt: soon() });
    await expect(work).rejects.toThrow(/inside a driver's run/);
  });
});
