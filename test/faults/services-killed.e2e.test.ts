import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { converse, idsOf } from "../support/converse.ts";
import { startReturningReader } from "../support/returning-reader.ts";
import { type Apart, type ServiceName, startApart } from "../support/start-apart.ts";
import { openStoreWitness } from "../support/store-witness.ts";
import { STORM_SIZE, startStorm, stormIds } from "../support/storm.ts";

const EXPIRING = 100;
/** What a question passes through; one process of each, so that nobody stands in for the killed one. */
const CORE = ["asker", "answer-gateway", "inbox-projector", "expiry-scheduler"] as const;
/** What the router in front of them says when nobody is there, or its connection breaks. */
const UNREACHED = [0, 502];

let apart: Apart;
const conversation = converse(() => apart);

beforeAll(async () => {
  apart = await startApart({
    services: CORE,
    each: 1,
    env: { INTERLUDE_MAX_CONCURRENT: "0", INTERLUDE_MAX_WAITS: "0" },
  });
}, 120_000);

afterAll(() => apart.stop());

it(
  `each service killed while ${STORM_SIZE} questions are asked and answered loses and doubles nothing`,
  { timeout: 400_000 },
  async () => {
    const witness = await openStoreWitness(apart.natsUrl);
    const before = await witness.lastSequence();
    const reader = await startReturningReader(apart.url, apart.keys.operator, before);
    const answered = stormIds("storm", STORM_SIZE);
    const expiring = stormIds("short", EXPIRING);
    const storm = startStorm(conversation, { answered, expiring });

    const killAt = async (name: ServiceName, isTime: () => boolean) => {
      await eventually(isTime, { withinMs: 200_000, everyMs: 5 });
      const isInTheMiddle = storm.woken.size < STORM_SIZE + EXPIRING;
      await apart.killAndStart(name);
      return isInTheMiddle;
    };
    const kills = await Promise.all([
      killAt("asker", () => storm.accepted.asks > EXPIRING + STORM_SIZE / 4),
      killAt("inbox-projector", () => storm.accepted.asks > EXPIRING + STORM_SIZE / 2),
      killAt("answer-gateway", () => storm.accepted.answers > STORM_SIZE / 4),
      // Most deadlines are then due, and held by it.
      killAt("expiry-scheduler", () => storm.expired() > 0),
    ]);
    expect(kills).toEqual([true, true, true, true]);

    expect(new Set(await storm.over)).toEqual(new Set([200]));
    expect(storm.refusals.filter((status) => status !== 503 && !UNREACHED.includes(status))).toEqual([]);
    for (const id of answered) expect(storm.woken.get(id)).toBe(`to ${id}`);
    for (const id of expiring) expect(storm.woken.get(id)).toBe("expired");
    // Each question is two facts: one asked, one of its end, however often they were sent or tried.
    const facts = 2 * (STORM_SIZE + EXPIRING);
    const last = before + facts;
    expect(await witness.lastSequence()).toBe(last);
    await witness.close();
    await eventually(() => reader.frames().at(-1)?.id === String(last), { withinMs: 20_000 });
    const positions = reader.frames().map(({ id }) => Number(id));
    expect(positions).toEqual(Array.from({ length: facts }, (_, each) => before + 1 + each));
    await reader.stop();

    const expired = await eventually(
      async () => {
        const reply = await conversation.listed("?status=expired&page_size=200", last);
        expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
        return reply;
      },
      { withinMs: 20_000, everyMs: 200 },
    );
    expect(idsOf(expired).toSorted()).toEqual(expiring);
    expect((await conversation.list("?status=answered&page_size=1")).json["total"]).toBe(STORM_SIZE);
    expect((await conversation.list("?page_size=1")).json["total"]).toBe(0);
  },
);
