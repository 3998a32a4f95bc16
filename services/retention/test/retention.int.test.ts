import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import {
  conversationRunId,
  createInteractionStore,
  createMessageIndex,
  createMediaStore,
  createRunStore,
  createTurnStore,
  handleRunCommand,
  type Log,
  mediaPath,
  openBucket,
  openLog,
  type ParkAddress,
  parkAddress,
  provisionLog,
  readAudit,
  readRun,
  turnAddress,
} from "@interlude/event-log";
import { subjectToken } from "@interlude/kernel";
import { type Database, openDatabase } from "@interlude/postgres";
import { generateKeyring, parseKeyring } from "@interlude/secrets";
import { createAnswerKeys, createMetrics, recordingLogger } from "@interlude/service-kit";
import { createDatabase, type OwnServer, startOwnNats, type TestDatabase } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createRetention } from "../src/index.ts";
import { DAY_MS, type Store, type Writer, writerOf } from "./fixture.ts";

const keys = generateKeyring();
let nats: OwnServer;
let log: Log;
let created: TestDatabase;
let database: Database;
let store: Store;
let writer: Writer;

beforeAll(async () => {
  nats = await startOwnNats();
  created = await createDatabase(inject("postgresUrl"));
  database = openDatabase({ url: created.url, applicationName: "retention-test" });
  const admin = await openLog({ url: nats.url, service: "provision" });
  await provisionLog(admin, { maxBytes: 268_435_456, replicas: 1 });
  await admin.close();
  log = await openLog({ url: nats.url, service: "retention" });
  store = createInteractionStore(log);
  writer = writerOf(store);
});
afterAll(async () => {
  await log.close();
  await database.close();
  await created.drop();
  await nats.stop();
});

async function retentionAt(movedDays: number, retentionDays = 90) {
  const answerKeys = createAnswerKeys(await openBucket(log, "answerKeys"), parseKeyring(keys, "KEYS"));
  const metrics = createMetrics();
  const retention = createRetention({
    ...{ log, database, answerKeys, metrics, settings: { retention_days: retentionDays } },
    logger: recordingLogger(),
    nowMs: () => log.clock.nowMs() + movedDays * DAY_MS,
  });
  return { retention, metrics, answerKeys };
}

async function sweep(movedDays: number, retentionDays?: number) {
  const { retention, metrics } = await retentionAt(movedDays, retentionDays);
  await retention.sweep();
  return metrics.registry.metrics();
}

async function isGone(id: string): Promise<boolean> {
  return (await store.readAll(id)).length === 0;
}

async function told(id: string): Promise<number[]> {
  const entries = await readAudit(log, 1, 10_000, () => undefined);
  return entries.flatMap(({ entry }) =>
    "type" in entry && entry.type === "interaction_purged" && entry.data.interaction_id === id
      ? [entry.data.sequence]
      : [],
  );
}

describe("retention", () => {
  it("removes a question the day its time is over, tells first, and nothing else", async () => {
    const [ended, open] = [randomUUID(), randomUUID()];
    await writer.ask(ended);
    await writer.ask(open);
    const last = await writer.answer(ended);
    await sweep(89.9);
    expect(await isGone(ended)).toBe(false);
    expect(await told(ended)).toEqual([]);
    const measured = await sweep(90.1);
    expect(await isGone(ended)).toBe(true);
    expect(await told(ended)).toEqual([last]);
    expect(await isGone(open)).toBe(false);
    expect(measured).toMatch(/interlude_purged_total\{what="interaction"\} [1-9]/);
    expect(measured).toMatch(/interlude_oldest_ended_seconds/);
  });

  it("of 0 days keeps everything for ever", async () => {
    const id = randomUUID();
    await writer.ask(id);
    await writer.answer(id);
    await sweep(10_000, 0);
    expect(await isGone(id)).toBe(false);
  });

  it("leaves a question that was asked again under the id of a purged one", async () => {
    const id = randomUUID();
    await writer.ask(id);
    await writer.answer(id);
    await sweep(91);
    await writer.ask(id, { question: "Again?" });
    await sweep(91);
    expect((await store.readAll(id)).map(({ entry }) => "type" in entry && entry.type)).toEqual(["asked"]);
    await writer.answer(id);
    await sweep(91);
    expect(await isGone(id)).toBe(true);
    expect(await told(id)).toHaveLength(2);
  });

  it("takes what leads from a provider's messages to the question along", async () => {
    const messages = createMessageIndex(log);
    const [id, other] = [randomUUID(), randomUUID()];
    for (const each of [id, other]) {
      await writer.ask(each, { channel: "sms", recipient: "+15550001001" });
      await writer.deliver(each, "sms", [`${each}-1`, `${each}-2`]);
      await messages.add("sms", [`${each}-1`, `${each}-2`], each);
    }
    await writer.answer(id);
    await sweep(91);
    expect(await isGone(id)).toBe(true);
    const found = [id, other].flatMap((each) => [`${each}-1`, `${each}-2`]);
    expect(await Promise.all(found.map((one) => messages.find("sms", one)))).toEqual([
      ...[undefined, undefined, other, other],
    ]);
  });

  it("takes the key of a sensitive answer and media that nothing else shows along", async () => {
    const media = createMediaStore(log);
    const put = async () => (await media.put([Buffer.from(randomUUID())], "text/plain")).id;
    const [own, shared] = [await put(), await put()];
    const [id, other] = [randomUUID(), randomUUID()];
    const shown = (ids: string[]) => ids.map((each) => ({ kind: "document" as const, url: mediaPath(each) }));
    await media.claim([{ id: own }, { id: shared }], { kind: "interaction", id });
    await media.claim([{ id: shared }], { kind: "interaction", id: other });
    const { retention, answerKeys } = await retentionAt(91);
    await answerKeys.make(id);
    await writer.ask(id, { sensitive: true, media: shown([own, shared]) });
    await writer.ask(other, { media: shown([shared]) });
    await writer.answer(id);
    await retention.sweep();
    expect(await answerKeys.read(id)).toBeUndefined();
    expect(await media.head(own)).toBeUndefined();
    expect(await media.head(shared)).toBeDefined();
  });

  it("works in one process at a time", async () => {
    const id = randomUUID();
    await writer.ask(id);
    await writer.answer(id);
    const session = await database.openSession();
    expect(await session.tryLock("interlude retention")).toBe(true);
    await sweep(91);
    expect(await isGone(id)).toBe(false);
    await session.close();
    await sweep(91);
    expect(await isGone(id)).toBe(true);
  });
});

describe("a question that a run parked on", () => {
  const now = () => log.clock.nowMs();

  async function parked() {
    const runId = randomUUID();
    const id = randomUUID();
    const run = { driver: "bot", run_id: runId };
    await writer.ask(id, { mode: "async", run });
    const address = parkAddress("bot", runId, [id]);
    const parkId = address.parkToken;
    const runs = createRunStore(log);
    const as = { driver: "bot", runId, parkId, owner: "flow" } as const;
    const handle = async (
      at: (
        nowMs: number,
      ) => Parameters<typeof handleRunCommand>[2] extends (nowMs: number) => infer Command ? Command : never,
    ) => {
      const handled = await handleRunCommand(runs, address, at, now);
      if (!handled.ok) throw new Error(JSON.stringify(handled));
    };
    await handle((nowMs) => ({ type: "Park", ...as, interactionIds: [id], nowMs }));
    await writer.answer(id, { mode: "async" });
    const data = {
      driver: "bot",
      run_id: runId,
      park_id: parkId,
      owner: "flow",
      at: new Date(now()).toISOString(),
    };
    await runs.requestResume(data, address, { eventId: randomUUID(), nowMs: now() });
    return {
      id,
      claim: () =>
        handle((nowMs) => ({ type: "Claim", claimId: "c", leaseMs: 60_000, maxAttempts: 1, nowMs })),
      complete: () => handle((nowMs) => ({ type: "Complete", claimId: "c", nowMs })),
      stored: () => readRun(log, "bot", subjectToken(runId)),
    };
  }

  it("is kept until the run has resumed, and takes the finished run along", async () => {
    const run = await parked();
    await sweep(91);
    await run.claim();
    await sweep(91);
    expect(await isGone(run.id)).toBe(false);
    expect(await run.stored()).toHaveLength(3);
    await run.complete();
    await sweep(91);
    expect(await isGone(run.id)).toBe(true);
    expect(await run.stored()).toEqual([]);
  });
});

describe("a conversation", () => {
  it("that goes on loses what was said long ago and is over, and keeps its last turn", async () => {
    const runId = conversationRunId(randomUUID());
    const now = () => log.clock.nowMs();
    const runs = createRunStore(log);
    const turns = createTurnStore(log);
    const said = async (id: string): Promise<ParkAddress> => {
      const address = turnAddress("bot", runId, id);
      const turn = { channel: "sms", partition: 1, thread: "th", route: "r", sealed: id };
      const at = new Date(now()).toISOString();
      const data = { driver: "bot", run_id: runId, park_id: id, owner: "flow", at, turn };
      await turns.receive(data, address, { eventId: randomUUID(), nowMs: now() });
      return address;
    };
    const answered = async (address: ParkAddress): Promise<void> => {
      const [claimId, leaseMs, maxAttempts] = [randomUUID(), 60_000, 1];
      const claim = (nowMs: number) => ({ type: "Claim", claimId, leaseMs, maxAttempts, nowMs }) as const;
      await handleRunCommand(runs, address, claim, now);
      await handleRunCommand(runs, address, (nowMs) => ({ type: "Complete", claimId, nowMs }), now);
    };
    const kept = async () =>
      (await readRun(log, "bot", subjectToken(runId))).flatMap(({ entry }) =>
        "type" in entry && entry.type === "turn_received" ? [entry.data.park_id] : [],
      );

    await answered(await said("t_1"));
    await said("t_2");
    await answered(await said("t_3"));
    const last = await said("t_4");
    await sweep(89);
    expect(await kept()).toEqual(["t_1", "t_2", "t_3", "t_4"]);
    // What a turn parked for is answered as that turn is.
    const park = parkAddress("bot", runId, [randomUUID()]);
    const ids = {
      driver: "bot",
      runId,
      parkId: park.parkToken,
      owner: "flow",
      interactionIds: [randomUUID()],
    };
    await handleRunCommand(runs, park, (nowMs) => ({ type: "Park", ...ids, nowMs }), now);
    await sweep(91);
    expect(await kept()).toEqual(["t_1", "t_2", "t_3", "t_4"]);
    await handleRunCommand(runs, park, (nowMs) => ({ type: "RequestResume", nowMs }), now);
    await answered(park);
    await sweep(91);
    expect(await kept()).toEqual(["t_2", "t_4"]);
    expect((await turns.startOf(last))?.sealed).toBe("t_4");
  });
});

describe("killed between telling and purging", () => {
  it("the next sweep finishes, and tells of nothing twice", { timeout: 60_000 }, async () => {
    await sweep(91);
    const ids = Array.from({ length: 5 }, () => randomUUID());
    for (const id of ids) await writer.ask(id);
    for (const id of ids) await writer.answer(id);
    const before = (await log.manager.streams.info("AUDIT")).state.last_seq;
    const child = startSweep({ HALT_AFTER: String(before + 2) });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    expect(line.toString()).toBe("halted\n");
    child.kill("SIGKILL");
    await once(child, "exit");
    const toldOf = await Promise.all(ids.map(async (id) => (await told(id)).length));
    expect(toldOf).toEqual([1, 1, 1, 0, 0]);
    expect(await Promise.all(ids.map(isGone))).toEqual([true, true, false, false, false]);

    const again = startSweep({});
    expect((await once(again, "exit"))[0]).toBe(0);
    expect(await Promise.all(ids.map(isGone))).toEqual(ids.map(() => true));
    expect(await Promise.all(ids.map(async (id) => (await told(id)).length))).toEqual(ids.map(() => 1));
  });

  it("the end that is left of a question is no question, and goes", async () => {
    const id = randomUUID();
    await writer.ask(id);
    await writer.answer(id);
    await log.manager.streams.purge("INTERACTIONS", { filter: `interactions.asked.*.*.${id}` });
    const { position } = await store.read(id);
    expect(position).toBeGreaterThan(0);
    await sweep(91);
    expect(await isGone(id)).toBe(true);
  });
});

function startSweep(more: Record<string, string>) {
  const script = fileURLToPath(new URL("sweep-once.ts", import.meta.url));
  const env = { ...process.env, NATS_URL: nats.url, DATABASE_URL: created.url, KEYS: keys, MOVED_DAYS: "91" };
  return spawn(process.execPath, ["--import", "tsx", script], {
    env: { ...env, ...more },
    stdio: ["ignore", "pipe", "inherit"],
  });
}
