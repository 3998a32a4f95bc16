import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DURABLES, provisionLog } from "../src/index.ts";
import { openTestLog } from "./open-test-log.ts";

let test: Awaited<ReturnType<typeof openTestLog>>;
beforeAll(async () => {
  test = await openTestLog();
});
afterAll(() => test.close());

describe("provisioning again", () => {
  it("gives durables that stand what this version wants of them, and keeps their place", async () => {
    const { consumers } = test.log.manager;
    const place = ["INTERACTIONS", DURABLES.expiryLifecycle] as const;
    const { config: fresh } = await consumers.info(...place);
    await consumers.update(...place, { ack_wait: 15_000_000_000 });
    await test.log.jetstream.publish("interactions.asked.inbox.0.q-1", "{}");
    const consumer = await test.log.jetstream.consumers.get(...place);
    await (await consumer.next())?.ackAck();
    await provisionLog(test.log, { maxBytes: 268_435_456, replicas: 1 });
    const { config, ack_floor: floor } = await consumers.info(...place);
    expect(config.ack_wait).toBe(fresh.ack_wait);
    expect(floor.stream_seq).toBe(1);
  });
});
