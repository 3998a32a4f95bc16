import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { converse, faultsOf, idsOf } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { openStream } from "../support/event-stream.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { openStoreWitness } from "../support/store-witness.ts";

/** The machine that runs this has two cores; a larger one may take more. */
const QUESTIONS = 2_000 * Number(process.env["FAULT_SCALE"] ?? 1);

/** What a refused caller waits; hundreds that did not would keep the servers from coming back. */
const RETRY_MS = 500;

let interlude: Interlude;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { ask, asked, answer, result, list, item, call } = converse(at);

beforeAll(async () => {
  interlude = await startInterlude({ settings: { max_concurrent: 0, max_waits: 0 } });
});

afterAll(() => interlude.stop());

/** Repeats a request under its own id until it is taken, as a caller does; what came before the last is counted. */
async function insist(send: () => Promise<{ status: number }>, refusals: number[]): Promise<number> {
  for (;;) {
    const status = await send().then(
      (reply) => reply.status,
      () => 0,
    );
    if (status >= 200 && status < 300) return status;
    if (status === 409 || status === 410) return status;
    refusals.push(status);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

it(
  `nats-server killed while ${QUESTIONS} questions are asked and answered loses and doubles nothing`,
  { timeout: 150_000 },
  async () => {
    const witness = await openStoreWitness(interlude.nats.url);
    const before = await witness.lastSequence();
    const ids = Array.from({ length: QUESTIONS }, (_, each) => `storm-${String(each).padStart(6, "0")}`);
    const refusals: number[] = [];
    const got = new Map<string, unknown>();

    const conversation = async (id: string) => {
      await insist(() => ask({ id, question: `Number ${id}?` }), refusals);
      const wait = (async () => {
        while (!got.has(id)) {
          const reply = await result(id, "?wait=20").catch(() => undefined);
          if (reply?.status === 200) got.set(id, reply.json["answer"]);
          else if (reply?.status !== 202) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      })();
      const headers = { "idempotency-key": id };
      const status = await insist(() => answer(id, `to ${id}`, { headers }), refusals);
      await wait;
      return status;
    };

    const all = Promise.all(ids.map(conversation));
    // Shown below: a failure while it is awaited elsewhere must not be one that nobody caught.
    all.catch(() => undefined);
    await eventually(async () => (await witness.lastSequence()) > before + QUESTIONS / 3, {
      withinMs: 60_000,
    });
    await interlude.nats.kill();
    await eventually(async () => (await call("/readyz")).status === 503);
    await interlude.nats.restart();
    const statuses = await all;

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(refusals.filter((status) => status !== 503)).toEqual([]);
    for (const id of ids) expect(got.get(id)).toBe(`to ${id}`);
    // Each question is two facts: one asked, one answered, however often they were sent.
    expect((await witness.lastSequence()) - before).toBe(2 * QUESTIONS);
    await witness.close();
  },
);

it("with NATS away every door that needs it says 503 within a second, and is back by itself", async () => {
  const id = await asked();
  const stream = await openStream(interlude.url, { key: interlude.keys.answerer });
  await interlude.nats.kill();
  const begun = performance.now();
  const replies = await Promise.all([
    ask({ question: "Now?" }),
    answer(id, "x"),
    result(id),
    item(id),
    call(`/api/interactions/${id}/cancel`, { method: "POST", key: interlude.keys.asker }),
    call(`/api/interactions/${id}/events`, { key: interlude.keys.answerer }),
    call("/readyz"),
  ]);
  expect(performance.now() - begun).toBeLessThan(1_000);
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 503));
  for (const reply of replies.slice(0, 6)) {
    expect(faultsOf(reply).code).toBe("unavailable");
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect((await call("/healthz")).status).toBe(200);

  await interlude.nats.restart();
  await eventually(async () => (await call("/readyz")).status === 200);
  expect((await answer(id, "late")).status).toBe(200);
  // The stream that was open through it all goes on, and says each thing once (A-NATS-1).
  await stream.frameOf(id, "interaction.answered");
  const after = await asked();
  await stream.frameOf(after, "interaction.add");
  const positions = stream.frames.map((frame) => Number(frame.id));
  expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b));
  stream.close();
});

it(
  "a frozen NATS is no hang: doors answer, and what was asked meanwhile is there once",
  { timeout: 60_000 },
  async () => {
    const id = await asked();
    await interlude.nats.freeze();
    const stuck = await Promise.all([
      ask({ question: "Frozen?", id: "frozen-question" }),
      answer(id, "x"),
      item(id),
    ]);
    expect(stuck.map(({ status }) => status)).toEqual([503, 503, 503]);
    interlude.nats.thaw();
    await eventually(async () => (await call("/readyz")).status === 200, { withinMs: 15_000 });
    await eventually(
      async () => [200, 201].includes((await ask({ question: "Frozen?", id: "frozen-question" })).status),
      { withinMs: 15_000 },
    );
    await answer("frozen-question", "thawed");
    expect((await result("frozen-question", "?wait=5")).json["answer"]).toBe("thawed");
    const events = await call("/api/interactions/frozen-question/events", { key: interlude.keys.operator });
    expect(events.json["items"]).toHaveLength(2);
  },
);

it("the list is whole after all that", async () => {
  const pending = await asked({ question: "The last?" });
  await eventually(async () => idsOf(await list("?sort=-created_at&page_size=5")).includes(pending));
  const answered = await list("?status=answered&q=Number&page_size=1");
  expect(answered.json["total"]).toBe(QUESTIONS);
});
