import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  createInteractionStore,
  handleCommand,
  type InteractionStore,
  logBounds,
  readLog,
} from "../src/index.ts";
import { askedAt } from "./asked-at.ts";
import { openTestLog } from "./open-test-log.ts";

let test: Awaited<ReturnType<typeof openTestLog>>;
let store: InteractionStore;
/** What a replica says that has nothing of what is asked for. */
const NOTHING = [
  { status: 404, description: "Message Not Found", data: new Uint8Array(), headers: undefined },
];
const now = () => test.log.clock.nowMs();

beforeAll(async () => {
  test = await openTestLog();
  store = createInteractionStore(test.log);
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => test.close());

async function ask(): Promise<string> {
  const id = randomUUID();
  const handled = await handleCommand(store, id, { type: "Ask", asked: askedAt(id, now()) }, now);
  if (!handled.ok) throw new Error("not asked");
  return id;
}

/** The next answers come from a replica that has heard of nothing yet. */
function lagFor(times: number) {
  const spy = vi.spyOn(test.log.requests, "all");
  for (let count = 0; count < times; count++) spy.mockResolvedValueOnce(NOTHING);
  return spy;
}

async function sayReplicas(count: number): Promise<void> {
  const info = await test.log.manager.streams.info("INTERACTIONS");
  vi.spyOn(test.log.manager.streams, "info").mockResolvedValue({
    ...info,
    config: { ...info.config, num_replicas: count },
  });
}

describe("a replica that lags behind", () => {
  it("does not end a replay: it goes on until it has what the leader has", async () => {
    const id = await ask();
    const { lastSequence } = await logBounds(test.log);
    lagFor(3);
    const read = await readLog(test.log, lastSequence, 10, () => undefined);
    expect(read.map(({ address }) => address.id)).toEqual([id]);
  });

  it("that never catches up is a failure told, not a log that has ended", async () => {
    await ask();
    const { lastSequence } = await logBounds(test.log);
    lagFor(1_000);
    await expect(readLog(test.log, lastSequence, 10, () => undefined)).rejects.toMatchObject({
      code: "log_unavailable",
      retry: "later",
    });
  });

  it("hides no event from a history that is read in whole", async () => {
    const id = await ask();
    await sayReplicas(3);
    lagFor(2);
    expect((await createInteractionStore(test.log).readAll(id)).length).toBe(1);
  });

  it("is reckoned with soon after the log was given replicas while we run", async () => {
    const id = await ask();
    const reader = createInteractionStore(test.log);
    await reader.readFresh(id);
    const leader = vi.spyOn(test.log.manager.streams, "getMessage");
    await sayReplicas(3);
    const beginsMs = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => beginsMs + 11_000);
    await reader.readFresh(id);
    expect(leader).toHaveBeenCalledTimes(1);
  });
});

describe("a replay", () => {
  it("is empty at the end of the log", async () => {
    await ask();
    const { lastSequence } = await logBounds(test.log);
    expect(await readLog(test.log, lastSequence + 1, 10, () => undefined)).toEqual([]);
  });

  it("goes on past a stretch of which nothing can be read", async () => {
    const { seq } = await test.log.jetstream.publish("interactions.nonsense", "x");
    await test.log.jetstream.publish("interactions.nonsense", "y");
    const id = await ask();
    const unreadable = vi.fn();
    const read = await readLog(test.log, seq, 2, unreadable);
    expect(read.map(({ address }) => address.id)).toEqual([id]);
    expect(unreadable).toHaveBeenCalledTimes(2);
  });
});
