import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { consumeDurable, DURABLES, STREAMS } from "../src/index.ts";
import { openTestLog } from "./open-test-log.ts";

const MESSAGES = 5_000;

let test: Awaited<ReturnType<typeof openTestLog>>;
beforeAll(async () => {
  test = await openTestLog();
});
afterAll(() => test.close());

it("a consumer that closes again and again leaves nothing behind that is delivered once more", async () => {
  const { log } = test;
  for (let each = 1; each <= MESSAGES; each += 1) {
    log.connection.publish(`interactions.asked.inbox.0.q-${each}`, "{}");
  }
  const handled = new Map<number, boolean>();
  const { interactions: stream } = STREAMS;
  while (handled.size < MESSAGES) {
    const before = handled.size;
    const consumer = consumeDurable(log, {
      ...{ stream, durable: DURABLES.expiryLifecycle, concurrency: 256 },
      handle: ({ sequence, redelivered }) => {
        handled.set(sequence, redelivered);
        return Promise.resolve("done");
      },
      onFailure: (error) => {
        throw error;
      },
    });
    await eventually(() => handled.size > before, { everyMs: 1 });
    await consumer.close();
  }
  // What a close had left behind came again once the server had given it up.
  expect([...handled.values()]).not.toContain(true);
});
