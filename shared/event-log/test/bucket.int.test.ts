import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bucket, openBucket } from "../src/index.ts";
import { openTestLog } from "./open-test-log.ts";

let test: Awaited<ReturnType<typeof openTestLog>>;
let bucket: Bucket;
beforeAll(async () => {
  test = await openTestLog();
  bucket = await openBucket(test.log, "sessions");
});
afterAll(() => test.close());

async function watched(): Promise<{ seen: [string, string | undefined][]; stop: () => void }> {
  const seen: [string, string | undefined][] = [];
  const stop = await bucket.watch((key, value) => seen.push([key, value]));
  return { seen, stop };
}

/** The bucket's consumers, gone without a word, as when a server that held them is lost. */
async function loseConsumers(): Promise<void> {
  const { consumers } = test.log.manager;
  for await (const { name } of consumers.list("KV_SESSIONS")) await consumers.delete("KV_SESSIONS", name);
}

describe("watching a bucket", () => {
  it("tells of each change from now on, with its value", async () => {
    await bucket.put("before", "1");
    const { seen, stop } = await watched();
    await bucket.put("now", "2");
    await bucket.put("revoked.s-1", "out");
    await eventually(() => seen.length >= 2);
    expect(seen).toEqual([
      ["now", "2"],
      ["revoked.s-1", "out"],
    ]);
    stop();
  });

  it("goes on when its consumer is lost, and misses nothing in between", async () => {
    const { seen, stop } = await watched();
    await bucket.put("first", "1");
    await eventually(() => seen.length === 1);
    await loseConsumers();
    await bucket.put("second", "2");
    await eventually(() => seen.length === 2, { withinMs: 15_000 });
    expect(seen.map(([key]) => key)).toEqual(["first", "second"]);
    stop();
  });

  it("goes on when the server is killed", async () => {
    const { seen, stop } = await watched();
    await test.server.kill();
    await test.server.restart();
    await eventually(() => test.log.isUp(), { withinMs: 15_000 });
    await eventually(
      () =>
        bucket.put("after", "1").then(
          () => true,
          () => false,
        ),
      { withinMs: 15_000 },
    );
    await eventually(() => seen.some(([key]) => key === "after"), { withinMs: 15_000 });
    stop();
  });
});
