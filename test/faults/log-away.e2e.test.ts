import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { converse, faultsOf, idsOf } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { openStream } from "../support/event-stream.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { openStoreWitness } from "../support/store-witness.ts";
import { STORM_SIZE, startStorm, stormIds } from "../support/storm.ts";

let interlude: Interlude;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const conversation = converse(at);
const { ask, asked, answer, result, list, item, call } = conversation;

beforeAll(async () => {
  interlude = await startInterlude({ settings: { max_concurrent: 0, max_waits: 0 } });
});

afterAll(() => interlude.stop());

it(
  `nats-server killed while ${STORM_SIZE} questions are asked and answered loses and doubles nothing`,
  { timeout: 150_000 },
  async () => {
    const witness = await openStoreWitness(interlude.nats.url);
    const before = await witness.lastSequence();
    const ids = stormIds("storm", STORM_SIZE);
    const storm = startStorm(conversation, { answered: ids });
    await eventually(async () => (await witness.lastSequence()) > before + STORM_SIZE / 3, {
      withinMs: 60_000,
    });
    await interlude.nats.kill();
    await eventually(async () => (await call("/readyz")).status === 503);
    await interlude.nats.restart();

    expect(new Set(await storm.over)).toEqual(new Set([200]));
    expect(storm.refusals.filter((status) => status !== 503)).toEqual([]);
    for (const id of ids) expect(storm.woken.get(id)).toBe(`to ${id}`);
    // Each question is two facts: one asked, one answered, however often they were sent.
    expect((await witness.lastSequence()) - before).toBe(2 * STORM_SIZE);
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
  expect(answered.json["total"]).toBe(STORM_SIZE);
});
