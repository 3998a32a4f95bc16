import { randomUUID } from "node:crypto";
import { type AskedData, formatInstant } from "@interlude/contract";
import { deadlineMs } from "@interlude/domain";
import {
  addressOfAsked,
  createInteractionStore,
  DURABLES,
  handleCommand,
  type InteractionStore,
  type Log,
  openLog,
  provisionLog,
  type StoredEntry,
} from "@interlude/event-log";
import { createMetrics, recordingLogger, type Service } from "@interlude/service-kit";
import { eventually, type OwnServer, startOwnNats } from "@interlude/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createExpiryScheduler } from "../src/index.ts";

let server: OwnServer;
let log: Log;
let store: InteractionStore;
const running: Service[] = [];
const now = () => log.clock.nowMs();

beforeAll(async () => {
  server = await startOwnNats();
  const admin = await openLog({ url: server.url, service: "provision" });
  await provisionLog(admin, { maxBytes: 268_435_456, replicas: 1 });
  await admin.close();
  log = await openLog({ url: server.url, service: "test" });
  store = createInteractionStore(log);
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
});
afterAll(async () => {
  await log.close();
  await server.stop();
});

const seen = () => ({ logger: recordingLogger(), metrics: createMetrics() });
type Seen = ReturnType<typeof seen>;

async function startScheduler(told: Seen = seen()): Promise<Service> {
  const service = createExpiryScheduler({ log, ...told });
  await service.start();
  running.push(service);
  return service;
}

function askedFor(forMs: number): AskedData {
  const id = randomUUID();
  const nowMs = Math.trunc(now());
  return {
    interaction_id: id,
    asker: "ann",
    group_id: "g",
    question: "Still there?",
    answer_format: "confirm",
    format_payload: {},
    mode: "sync",
    created_at: formatInstant(nowMs),
    timeout_at: formatInstant(nowMs + forMs),
    sensitive: false,
    fingerprint: "f",
  };
}

async function ask(forMs: number): Promise<{ id: string; dueAtMs: number }> {
  const asked = askedFor(forMs);
  const { interaction_id: id } = asked;
  const outcome = await handleCommand(store, id, { type: "Ask", asked }, now);
  if (!outcome.ok) throw new Error("not asked");
  return { id, dueAtMs: deadlineMs(asked) };
}

async function endOf(id: string, withinMs: number): Promise<StoredEntry> {
  return eventually(
    async () => {
      const last = (await store.readAll(id)).at(-1);
      if (last === undefined || !("type" in last.entry) || last.entry.type === "asked")
        throw new Error("still open");
      return last;
    },
    { withinMs },
  );
}

function answer(id: string, nowMs: number) {
  const content = { answer: true, answered_by: "bob", via: "door" } as const;
  return handleCommand(store, id, { type: "Answer", content, nowMs }, now);
}

describe("the expiry scheduler", () => {
  it.each([150, 1_000, 3_200])("ends a question of %i ms at its moment, never before", async (forMs) => {
    await startScheduler();
    const { id, dueAtMs } = await ask(forMs);
    const end = await endOf(id, forMs + 5_000);
    expect(end.entry).toMatchObject({ type: "expired" });
    expect(end.storedAtMs).toBeGreaterThanOrEqual(dueAtMs - 1);
    expect((await store.readAll(id)).length).toBe(2);
  });

  it("that was down at the moment ends the question when it is back", async () => {
    const { id } = await ask(200);
    const far = await ask(2_600);
    await startScheduler();
    await endOf(id, 5_000);
    for (const service of running.splice(0)) await service.stop();
    // Its timer fires while no scheduler runs.
    await eventually(() => now() > far.dueAtMs + 300, { withinMs: 10_000 });
    expect((await store.readAll(far.id)).length).toBe(1);
    await startScheduler();
    expect((await endOf(far.id, 10_000)).entry).toMatchObject({ type: "expired" });
  });

  it("sets no timer for a question that is answered at once", async () => {
    await startScheduler();
    const before = await timersSet();
    const { id } = await ask(60_000);
    expect((await answer(id, now())).ok).toBe(true);
    await eventually(async () => (await heldNow()) === 0, { withinMs: 5_000 });
    expect(await timersSet()).toBe(before);
  });

  it("never overrules an answer recorded first, and removes its timer", async () => {
    await startScheduler();
    const near = await ask(400);
    const far = await ask(60_000);
    await answer(near.id, now());
    await answer(far.id, now());
    await eventually(() => now() > near.dueAtMs + 300, { withinMs: 5_000 });
    expect((await store.readAll(near.id)).map(({ entry }) => ("type" in entry ? entry.type : ""))).toEqual([
      "asked",
      "answered",
    ]);
    await eventually(async () => (await timersLeft()) === 0, { withinMs: 10_000 });
  });

  it("A-TIME-1: a deadline 60 years away neither fires nor is lost", async () => {
    await startScheduler();
    const { id } = await ask(60 * 31_557_600_000);
    await eventually(async () => (await timersLeft()) === 1, { withinMs: 10_000 });
    expect((await store.readAll(id)).length).toBe(1);
    await answer(id, now());
    await eventually(async () => (await timersLeft()) === 0, { withinMs: 10_000 });
  });

  it("keeps its timers when the server is killed", async () => {
    await startScheduler();
    const asked = await Promise.all(Array.from({ length: 20 }, () => ask(4_000)));
    await eventually(async () => (await timersLeft()) >= 20, { withinMs: 10_000 });
    await server.kill();
    await server.restart();
    for (const { id } of asked) {
      expect((await endOf(id, 25_000)).entry).toMatchObject({ type: "expired" });
      expect((await store.readAll(id)).length).toBe(2);
    }
  });

  it("that stops hands on what it holds: a rolling restart makes no deadline late", async () => {
    const own = await openLog({ url: server.url, service: "expiry-scheduler" });
    const first = createExpiryScheduler({ log: own, ...seen() });
    await first.start();
    const asked = await Promise.all(Array.from({ length: 20 }, () => ask(1_900)));
    await eventually(async () => (await heldNow()) >= asked.length, { withinMs: 1_500 });
    await first.stop();
    await own.close();
    await startScheduler();
    for (const { id, dueAtMs } of asked) {
      expect((await endOf(id, 5_000)).storedAtMs).toBeLessThan(dueAtMs + 1_500);
    }
  });

  it("that is killed delays what it held by a few seconds at most", async () => {
    const own = await openLog({ url: server.url, service: "expiry-scheduler" });
    const first = createExpiryScheduler({ log: own, ...seen() });
    await first.start();
    const { id, dueAtMs } = await ask(1_900);
    await eventually(async () => (await heldNow()) >= 1, { withinMs: 1_500 });
    // As far as the server can tell: it is gone, without a word about what it held.
    await own.connection.close();
    await startScheduler();
    expect((await endOf(id, 15_000)).storedAtMs).toBeLessThan(dueAtMs + 6_000);
    await first.stop();
    await own.close();
  });

  it("two at once expire each question once", async () => {
    await startScheduler();
    await startScheduler();
    const asked = await Promise.all(Array.from({ length: 30 }, (_, index) => ask(300 + index * 5)));
    for (const { id } of asked) await endOf(id, 10_000);
    for (const { id } of asked) expect((await store.readAll(id)).length).toBe(2);
  });
});

describe("what the scheduler cannot read", () => {
  const errorsAbout = ({ logger }: Seen, part: string) =>
    logger.lines.filter(({ level, fields }) => level === "error" && JSON.stringify(fields).includes(part));

  async function skipped({ metrics }: Seen): Promise<number> {
    const { values } = await metrics.skippedEvents.get();
    return values.reduce((sum, { value }) => sum + value, 0);
  }

  /** As a newer process would, in a version that this one does not know. */
  async function askInNewVersion(id: string): Promise<void> {
    await log.jetstream.publish(`interactions.asked.inbox.0.${id}`, '{"due":"soon"}');
  }

  async function askDamaged(id: string): Promise<void> {
    const groups = Object.assign(["ops"], { toJSON: () => "damaged" });
    const data = { ...askedFor(60_000), interaction_id: id, asker_groups: groups };
    const write = { eventId: randomUUID(), nowMs: now() };
    await store.append({ type: "asked", data }, addressOfAsked(data), 0, write);
  }

  it.each([
    ["a question of a version it does not know", askInNewVersion],
    ["a question whose data is damaged", askDamaged],
  ])("%s: is told and counted, and tried again for as long as it takes", async (_, askSo) => {
    const id = randomUUID();
    const told = seen();
    await startScheduler(told);
    await askSo(id);
    await eventually(() => errorsAbout(told, id).length >= 2, { withinMs: 15_000 });
    expect(await skipped(told)).toBeGreaterThanOrEqual(2);
  });

  it("a timer whose body is damaged: is told, and its question ends at its moment all the same", async () => {
    const { id, dueAtMs } = await ask(2_500);
    await log.jetstream.publish(`timers.fired.${id}`, "nonsense");
    const told = seen();
    await startScheduler(told);
    await eventually(() => errorsAbout(told, id).length >= 1);
    expect((await endOf(id, 10_000)).storedAtMs).toBeGreaterThanOrEqual(dueAtMs - 1);
  });
});

/** Timers set and not yet fired or cancelled. */
async function timersLeft(): Promise<number> {
  const info = await log.manager.streams.info("TIMERS", { subjects_filter: "timers.set.*" });
  return Object.keys(info.state.subjects ?? {}).length;
}

/** Messages that were ever put into the stream of timers. */
async function timersSet(): Promise<number> {
  return (await log.manager.streams.info("TIMERS")).state.last_seq;
}

/** Deliveries of `asked` and of ends that are not settled yet. */
async function heldNow(): Promise<number> {
  return (await log.manager.consumers.info("INTERACTIONS", DURABLES.expiryLifecycle)).num_ack_pending;
}
