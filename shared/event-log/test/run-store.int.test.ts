import { randomUUID } from "node:crypto";
import { parkSetId } from "@interlude/domain";
import { sha256Base64Url } from "@interlude/kernel";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  conversationRunId,
  createRunStore,
  handleRunCommand,
  logBounds,
  readRunsForward,
  type RunForwardEntry,
  type RunStore,
  runSubject,
  STREAMS,
} from "../src/index.ts";
import { openTestLog } from "./open-test-log.ts";
import { parkOf } from "./park-of.ts";

let test: Awaited<ReturnType<typeof openTestLog>>;
let store: RunStore;

beforeAll(async () => {
  test = await openTestLog();
  store = createRunStore(test.log);
});
afterAll(() => test.close());

const aPark = (runId?: string, ids?: string[]) => parkOf(test.log, store, runId, ids);

function typesOf(entries: readonly { entry: object }[]): unknown[] {
  return entries.map(({ entry }) => ("type" in entry ? entry.type : entry));
}

async function messagesOn(subject: string): Promise<number> {
  const { state } = await test.log.manager.streams.info(STREAMS.runs, { subjects_filter: subject });
  return state.subjects?.[subject] ?? 0;
}

describe("the store of runs", () => {
  it("reads back in order what was stored; an unknown run is empty at 0", async () => {
    const one = aPark();
    const nothing = { park: [], otherPark: [], position: 0, isNameTaken: false };
    expect(await store.read(one.address)).toEqual(nothing);
    expect(await store.read({ ...one.address, driver: "*" })).toEqual(nothing);
    await one.release();
    await one.claim("c-1");
    await one.complete("c-1");
    const { park, position } = await store.read(one.address);
    expect(typesOf(park)).toEqual(["parked", "resume_requested", "claimed", "resumed"]);
    expect(position).toBe(park.at(-1)?.sequence);
  });

  it("a park is stored once, by whatever id and in whatever order its set comes again", async () => {
    const ids = [randomUUID(), randomUUID()];
    const one = aPark(undefined, ids);
    const outcomes = await Promise.all([one.park(), aPark(one.runId, ids.toReversed()).park(), one.park()]);
    expect(outcomes.filter((each) => each.ok && each.changed)).toHaveLength(1);
    expect(outcomes.every((each) => each.ok)).toBe(true);
    expect(await one.park({ parkId: "another-name" })).toMatchObject({
      ok: true,
      changed: false,
      park: { parked: { park_id: parkSetId(ids) } },
    });
  });

  it("of two parks of a run that want the same id, one has it", async () => {
    const runId = randomUUID();
    const parks = [aPark(runId), aPark(runId), aPark(runId)];
    const outcomes = await Promise.all(parks.map((each) => each.park({ parkId: "mine" })));
    expect(outcomes.filter((each) => each.ok)).toHaveLength(1);
    for (const each of outcomes) {
      if (!each.ok) expect(each).toMatchObject({ refusal: { code: "idempotency_conflict" } });
    }
    expect(await aPark().park({ parkId: "mine" })).toMatchObject({ ok: true, changed: true });
  });

  it("a request to resume exists once, however often and by however many it is made", async () => {
    const one = aPark();
    await one.park();
    await Promise.all(Array.from({ length: 20 }, () => one.request()));
    await one.request();
    expect(await messagesOn(runSubject("resume_requested", one.address).subject)).toBe(1);
    expect(await one.handle((nowMs) => ({ type: "RequestResume", nowMs }))).toMatchObject({
      ok: true,
      changed: false,
    });
  });
});

describe("claims", () => {
  it("of twenty that race for a park one wins, fenced by its place in the log", async () => {
    const one = aPark();
    await one.release();
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => one.claim(`c-${index}`)));
    const winners = outcomes.flatMap((each) => (each.ok ? [each] : []));
    expect(winners).toHaveLength(1);
    expect(winners[0]?.park).toMatchObject({ claim: { fencing: winners[0]?.sequence, attempt: 1 } });
    for (const each of outcomes) {
      if (!each.ok) expect(each).toMatchObject({ refusal: { code: "not_claimable" } });
    }
    expect(await messagesOn(runSubject("claimed", one.address).subject)).toBe(1);
  });

  it("a run with several parks has one live claim; the next is free when it is over", async () => {
    const runId = randomUUID();
    const parks = [aPark(runId), aPark(runId), aPark(runId), aPark(runId)];
    for (const each of parks) await each.release();
    const outcomes = await Promise.all(parks.map((each, index) => each.claim(`c-${index}`)));
    const winner = outcomes.findIndex((each) => each.ok);
    expect(outcomes.filter((each) => each.ok)).toHaveLength(1);
    for (const each of outcomes) {
      if (!each.ok) expect(each).toMatchObject({ refusal: { code: "run_busy" } });
    }
    const next = parks[(winner + 1) % parks.length];
    await parks[winner]?.complete(`c-${winner}`);
    expect(await next?.claim("c-next")).toMatchObject({ ok: true, park: { status: "claimed" } });
    expect(await parks[(winner + 2) % parks.length]?.claim("c-third")).toMatchObject({
      refusal: { code: "run_busy" },
    });
  });

  it("a conversation has one live claim, whichever drivers have a run of it; other runs of one id are apart", async () => {
    const conversation = conversationRunId(sha256Base64Url(randomUUID()));
    const drivers = ["a", "b", "c", "d"];
    const runOf = (runId: string) =>
      drivers.map((driver) => parkOf(test.log, store, runId, [randomUUID()], driver));
    const parks = runOf(conversation);
    for (const each of parks) await each.release();
    const outcomes = await Promise.all(parks.map((each, index) => each.claim(`c-${index}`)));
    const winner = outcomes.findIndex((each) => each.ok);
    expect(outcomes.filter((each) => each.ok)).toHaveLength(1);
    for (const each of outcomes) {
      if (!each.ok) expect(each).toMatchObject({ refusal: { code: "run_busy" } });
    }
    const next = parks[(winner + 1) % parks.length];
    expect(await parks[winner]?.renew(`c-${winner}`, 120_000)).toMatchObject({ ok: true, changed: true });
    await parks[winner]?.complete(`c-${winner}`);
    const claimed = await next?.claim("c-next", 1);
    expect(claimed).toMatchObject({ ok: true, park: { status: "claimed" } });
    // Its worker has died: the end of its lease frees the conversation.
    const last = parks[(winner + 2) % parks.length];
    await eventually(async () => (await last?.claim("c-last"))?.ok === true, { withinMs: 5_000 });
    expect(await next?.renew("c-next")).toMatchObject({ refusal: { code: "lease_lost" } });
    const others = runOf(`c_${randomUUID()}`);
    for (const each of others) await each.release();
    for (const each of others) expect(await each.claim("c-1")).toMatchObject({ ok: true });
  });

  it("a claim that was passed after its lease can neither complete nor heartbeat", async () => {
    const one = aPark();
    await one.release();
    const first = await one.claim("c-1", 1);
    const second = await eventually(
      async () => {
        const claimed = await one.claim("c-2");
        return claimed.ok ? claimed : undefined;
      },
      { withinMs: 5_000 },
    );
    expect(second).toMatchObject({ park: { claim: { attempt: 2 } } });
    expect(second?.sequence).toBeGreaterThan(first.ok ? first.sequence : Infinity);
    for (const late of [await one.complete("c-1"), await one.renew("c-1")]) {
      expect(late).toMatchObject({ ok: false, refusal: { code: "lease_lost" } });
    }
    expect(await one.complete("c-2")).toMatchObject({ ok: true, changed: true });
    expect(await one.complete("c-2")).toMatchObject({ ok: true, changed: false });
  });

  it("a hundred heartbeats are one message, and the log is as long as without them", async () => {
    const one = aPark();
    await one.release();
    await one.claim("c-1", 60_000);
    const before = (await test.log.manager.streams.info(STREAMS.runs)).state.messages;
    for (let beat = 1; beat <= 100; beat++) {
      expect(await one.renew("c-1", 60_000 + beat * 1_000)).toMatchObject({ ok: true, changed: true });
    }
    expect((await test.log.manager.streams.info(STREAMS.runs)).state.messages).toBe(before + 1);
    expect(await messagesOn(runSubject("renewed", one.address).subject)).toBe(1);
    expect(typesOf((await store.read(one.address)).park)).toEqual([
      "parked",
      "resume_requested",
      "claimed",
      "renewed",
    ]);
  });

  it("a heartbeat is held to what it expects of the run, and one that missed it removes nothing", async () => {
    const one = aPark();
    await one.release();
    await one.claim("c-1");
    await one.renew("c-1", 90_000);
    const { park, position } = await store.read(one.address);
    const renewed = park.at(-1);
    if (renewed === undefined || "unknownType" in renewed.entry) throw new Error("no heartbeat");
    const write = { eventId: randomUUID(), nowMs: test.log.clock.nowMs() };
    const late = await store.append(renewed.entry, one.address, position - 1, write);
    expect(late).toEqual({ status: "conflict" });
    expect(await store.read(one.address)).toMatchObject({ park, position });
    const [first, second] = await Promise.all([one.renew("c-1", 120_000), one.complete("c-1")]);
    expect(second).toMatchObject({ ok: true, park: { status: "resumed" } });
    if (!first.ok) expect(first).toMatchObject({ refusal: { code: "lease_lost" } });
  });

  it("a lost acknowledgement is settled by finding the own event, whatever was stored", async () => {
    const deaf: RunStore = {
      ...store,
      async append(...write) {
        await store.append(...write);
        return { status: "unknown" };
      },
    };
    const one = parkOf(test.log, deaf);
    await one.release();
    const claimed = await one.claim("c-1");
    expect(claimed).toMatchObject({ ok: true, changed: true, park: { claim: { claimId: "c-1" } } });
    expect(await one.renew("c-1", 90_000)).toMatchObject({ ok: true, changed: true });
    expect(await one.complete("c-1")).toMatchObject({ ok: true, changed: true });
    expect(await messagesOn(runSubject("claimed", one.address).subject)).toBe(1);
    expect(await messagesOn(runSubject("resumed", one.address).subject)).toBe(1);
  });

  it("who may is asked of the park before anything is decided", async () => {
    const one = aPark();
    await one.release();
    const outcome = await handleRunCommand(
      store,
      one.address,
      (nowMs) => ({ type: "Claim", claimId: "c-1", leaseMs: 1_000, maxAttempts: 1, nowMs }),
      () => test.log.clock.nowMs(),
      { before: (park) => (park.status === "requested" ? "not yours" : undefined) },
    );
    expect(outcome).toEqual({ ok: false, refused: "not yours" });
  });
});

describe("a glimpse of a run", () => {
  it("is what a full read of it finds, of each of its parks", async () => {
    const runId = randomUUID();
    const parks = [aPark(runId), aPark(runId), aPark(runId)];
    expect(await store.glimpse(aPark(runId).address)).toMatchObject({ park: [], position: 0 });
    await parks[0]?.park({ parkId: "mine" });
    for (const each of parks.slice(1)) await each.release();
    await parks[1]?.claim("c-1");
    for (const { address } of [...parks, aPark(runId)]) {
      for (const name of [undefined, "mine", address.parkToken]) {
        expect(await store.glimpse(address, name)).toEqual(await store.read(address, name));
      }
    }
  });

  it("is not had of a run with many parks, which is decided on all the same", async () => {
    const runId = randomUUID();
    for (let round = 0; round < 17; round++) await aPark(runId).release();
    const one = aPark(runId);
    await one.release();
    expect(await store.glimpse(one.address)).toBeUndefined();
    expect(await one.claim("c-1")).toMatchObject({ ok: true, changed: true });
  });

  it("that lacks the latest is stored on by nobody, and refuses nobody", async () => {
    const ids = [randomUUID()];
    const one = aPark(undefined, ids);
    await one.park();
    const parked = await store.glimpse(one.address);
    const behind = parkOf(test.log, { ...store, glimpse: () => Promise.resolve(parked) }, one.runId, ids);
    await one.request();
    expect(await behind.claim("c-1")).toMatchObject({ ok: true, park: { claim: { claimId: "c-1" } } });
    expect(await behind.claim("c-2")).toMatchObject({ ok: false, refusal: { code: "not_claimable" } });
    expect(await behind.complete("c-1")).toMatchObject({ ok: true, park: { status: "resumed" } });
  });
});

describe("what a newer process has stored", () => {
  it.each(["own", "other"])("is never decided past, in the park's %s history", async (place) => {
    const runId = randomUUID();
    const one = aPark(runId);
    const two = aPark(runId);
    await one.release();
    await two.release();
    if (place === "other") await two.claim("c-2");
    const { parkToken, runToken } = place === "own" ? one.address : two.address;
    await test.log.jetstream.publish(`runs.suspended.bot.${runToken}.${parkToken}`, "{}");
    expect(await one.claim("c-1")).toMatchObject({ ok: false, refusal: { code: "unavailable" } });
  });
});

it("every event of drivers and runs is read forward, in order and as they come", async () => {
  const { lastSequence } = await logBounds(test.log, STREAMS.runs);
  const read: RunForwardEntry[] = [];
  const ended = new AbortController();
  const reading = (async () => {
    const options = { fromSequence: lastSequence + 1, signal: ended.signal, onUnreadable: () => undefined };
    for await (const entry of readRunsForward(test.log, options)) {
      read.push(entry);
      if (read.length === 4) ended.abort();
    }
  })();
  const one = aPark();
  await one.release();
  await test.log.jetstream.publish("drivers.retired.bot", "{}");
  await one.claim("c-1");
  await reading;
  expect(read.map(({ address }) => address)).toEqual([one.address, one.address, undefined, one.address]);
  expect(typesOf(read)).toEqual([
    "parked",
    "resume_requested",
    { unknownType: "drivers.retired.bot" },
    "claimed",
  ]);
  expect(read.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4].map((each) => lastSequence + each));
});
