import { describe, expect, it } from "vitest";
import type { RedisCheckpointSaver } from "../src/index.ts";
import { checkpointOf, hasRedis, keysOf, ofThread, putAll, saverUnderTest } from "./saver-under-test.ts";

const nobody = (): Promise<string[]> => Promise.resolve([]);

describe.skipIf(!hasRedis)("a sweep [needs a Redis server]", () => {
  const test = saverUnderTest();

  /** A thread whose last write was at the beginning of time. */
  async function idleThread(saver: RedisCheckpointSaver, threadId: string): Promise<void> {
    await putAll(saver, threadId, checkpointOf({ a: 1 }));
    await test.client.zAdd(`${test.prefix}:threads`, { score: 1_000, value: threadId });
  }

  async function threads(): Promise<string[]> {
    return (await test.client.zRange(`${test.prefix}:threads`, 0, -1)).sort();
  }

  it("deletes threads that nothing was written to for so long, with all their keys, and no others", async () => {
    const saver = test.open();
    for (let count = 0; count < 120; count++) await idleThread(saver, `idle:${count}`);
    await putAll(saver, "fresh", checkpointOf());
    expect(await saver.sweep({ idleSeconds: 60, parkedRuns: nobody })).toEqual({
      status: "swept",
      deleted: 120,
      parked: 0,
    });
    expect(await threads()).toEqual(["fresh"]);
    expect(
      (await keysOf(test.client, test.prefix)).every((key) => /:threads$|:thread:fresh:/.test(key)),
    ).toBe(true);
  });

  it("never deletes a thread that a run is parked on, however long", async () => {
    const saver = test.open();
    await idleThread(saver, "run-1");
    await idleThread(saver, "thread of run-2");
    await idleThread(saver, "free");
    const swept = await saver.sweep({
      idleSeconds: 60,
      parkedRuns: () => Promise.resolve(new Set(["run-1", "run-2"])),
      threadOfRun: (runId) => (runId === "run-2" ? "thread of run-2" : runId),
    });
    expect(swept).toEqual({ status: "swept", deleted: 1, parked: 2 });
    expect(await threads()).toEqual(["run-1", "thread of run-2"]);
  });

  it("deletes nothing when it cannot know which runs are parked", async () => {
    const saver = test.open();
    await idleThread(saver, "t");
    const cause = new Error("the service is away");
    const unknowing: (() => Promise<Iterable<string>>)[] = [
      () => Promise.reject(cause),
      () => Promise.resolve("one" as unknown as string[]),
      () => Promise.resolve([7] as unknown as string[]),
      () => Promise.resolve(undefined as unknown as string[]),
      () => {
        throw cause;
      },
    ];
    for (const parkedRuns of unknowing) {
      const swept = await saver.sweep({ idleSeconds: 60, parkedRuns });
      expect(swept).toMatchObject({ status: "kept", reason: "parked_runs_unknown" });
    }
    expect(await threads()).toEqual(["t"]);
  });

  it("spares a thread that is written to while it asks", async () => {
    const saver = test.open();
    await idleThread(saver, "t");
    const swept = await saver.sweep({
      idleSeconds: 60,
      parkedRuns: async () => {
        await saver.putWrites(
          { configurable: { thread_id: "t", checkpoint_ns: "", checkpoint_id: "1" } },
          [["a", 1]],
          "task",
        );
        return [];
      },
    });
    expect(swept).toEqual({ status: "swept", deleted: 0, parked: 0 });
    expect(await saver.getTuple(ofThread("t"))).toBeDefined();
  });

  it("keeps everything for ever unless a retention is set", async () => {
    const saver = test.open();
    await idleThread(saver, "t");
    expect(await saver.sweep({ parkedRuns: nobody })).toEqual({ status: "kept", reason: "no_retention" });
    const retaining = test.open({ retentionSeconds: 3_600 });
    expect(retaining.retentionSeconds).toBe(3_600);
    expect(await retaining.sweep({ parkedRuns: nobody })).toMatchObject({ deleted: 1 });
  });

  it("does not ask when nothing is idle", async () => {
    const saver = test.open();
    await putAll(saver, "t", checkpointOf());
    let asked = 0;
    const parkedRuns = (): Promise<string[]> => Promise.resolve([String(asked++)]);
    expect(await saver.sweep({ idleSeconds: 60, parkedRuns })).toMatchObject({ deleted: 0 });
    expect(asked).toBe(0);
  });

  it("refuses a time that is none", async () => {
    for (const idleSeconds of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const swept = test.open().sweep({ idleSeconds, parkedRuns: nobody });
      await expect(swept).rejects.toMatchObject({ code: "config_invalid" });
      expect(() => test.open({ retentionSeconds: idleSeconds })).toThrow(/retentionSeconds/);
    }
  });
});
