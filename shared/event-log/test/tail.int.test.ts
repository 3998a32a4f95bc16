import { randomUUID } from "node:crypto";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createInteractionStore,
  handleCommand,
  openTail,
  provisionLog,
  type StoredEntry,
  STREAMS,
} from "../src/index.ts";
import { askedAt } from "./asked-at.ts";
import { openTestLog } from "./open-test-log.ts";

let test: Awaited<ReturnType<typeof openTestLog>>;
beforeAll(async () => {
  test = await openTestLog();
});
afterAll(() => test.close());

async function ask(id: string): Promise<void> {
  const store = createInteractionStore(test.log);
  const now = () => test.log.clock.nowMs();
  await eventually(
    async () => (await handleCommand(store, id, { type: "Ask", asked: askedAt(id, now()) }, now)).ok,
    { withinMs: 20_000 },
  );
}

describe("the tail", () => {
  it("A-NATS-1, A-NATS-4: delivers each event once and in order, over a kill of the server", async () => {
    const seen: StoredEntry[] = [];
    const tail = await openTail(test.log, { onUnreadable: () => undefined });
    tail.subscribe((stored) => seen.push(stored));
    const before = Array.from({ length: 20 }, () => randomUUID());
    for (const id of before) await ask(id);
    await test.server.kill();
    await test.server.restart();
    const after = Array.from({ length: 20 }, () => randomUUID());
    for (const id of after) await ask(id);
    await eventually(() => seen.length >= 40, { withinMs: 20_000 });
    expect(seen.map(({ address }) => address.id)).toEqual([...before, ...after]);
    expect(seen.map(({ sequence }) => sequence)).toEqual(
      seen.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
    );
    await tail.close();
  });

  it("starts where it is told to", async () => {
    const seen: number[] = [];
    const tail = await openTail(test.log, { fromSequence: 3, onUnreadable: () => undefined });
    tail.subscribe(({ sequence }) => seen.push(sequence));
    await eventually(() => seen.length > 5);
    expect(seen[0]).toBe(3);
    await tail.close();
  });

  it("A-NATS-3: of a stream deleted and made anew it delivers everything from its first event on", async () => {
    const seen: StoredEntry[] = [];
    const tail = await openTail(test.log, { onUnreadable: () => undefined });
    tail.subscribe((stored) => seen.push(stored));
    await ask(randomUUID());
    await eventually(() => seen.length === 1);
    await test.log.manager.streams.delete(STREAMS.interactions);
    await provisionLog(test.log, { maxBytes: 268_435_456, replicas: 1 });
    const after = Array.from({ length: 5 }, () => randomUUID());
    for (const id of after) await ask(id);
    await eventually(() => seen.length >= 6, { withinMs: 10_000 });
    expect(seen.slice(1).map(({ sequence, address }) => [sequence, address.id])).toEqual(
      after.map((id, each) => [each + 1, id]),
    );
    expect(tail.position).toBe(5);
    await tail.close();
  });
});
