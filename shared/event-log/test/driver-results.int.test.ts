import { AckPolicy } from "@nats-io/jetstream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { driverResults, DURABLES, provisionLog, STREAMS } from "../src/index.ts";
import { openTestLog } from "./open-test-log.ts";

const SIZES = { maxBytes: 268_435_456, replicas: 1 };

let test: Awaited<ReturnType<typeof openTestLog>>;
beforeAll(async () => {
  test = await openTestLog();
});
afterAll(() => test.close());

async function followed(): Promise<readonly (string | undefined)[]> {
  const { consumers } = test.log.manager;
  const { config } = await consumers.info(STREAMS.runs, DURABLES.conversationReplies);
  return config.filter_subjects ?? [config.filter_subject];
}

it("the durable of replies follows the drivers it is told, from how any version made it, and keeps to them", async () => {
  await test.log.manager.consumers.add(STREAMS.runs, {
    ...{ durable_name: DURABLES.conversationReplies, ack_policy: AckPolicy.Explicit, max_deliver: -1 },
    ...{ filter_subject: "runs.resumed.>", ack_wait: 4_000_000_000, max_ack_pending: 1 },
  });
  await provisionLog(test.log, SIZES, ["sms"]);
  const results = driverResults(test.log);
  await results.follow(["one", "two"]);
  expect(await followed()).toEqual(["runs.resumed.one.*.*", "runs.resumed.two.*.*"]);
  await provisionLog(test.log, SIZES, ["sms"]);
  expect(await followed()).toEqual(["runs.resumed.one.*.*", "runs.resumed.two.*.*"]);
  await results.follow(["two"]);
  expect(await followed()).toEqual(["runs.resumed.two.*.*"]);
  const info = await test.log.manager.consumers.info(STREAMS.runs, DURABLES.conversationReplies);
  expect(info.config.max_ack_pending).toBeGreaterThan(1);
});
