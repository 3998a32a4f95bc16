import type { SendOutcome } from "@interlude/channel-kit";
import { createTelegramChannel } from "@interlude/channel-telegram";
import { deliveryState } from "@interlude/domain";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loggedDeliveries } from "../src/adapters/logged-deliveries.ts";
import { askedOf, openDispatchers } from "./dispatcher-under-test.ts";

let test: Awaited<ReturnType<typeof openDispatchers>>;
beforeAll(async () => {
  test = await openDispatchers();
});
afterAll(() => test.close());

it("a question in several messages goes on behind those that are out when its worker is killed", async () => {
  const { log, store } = test;
  const killed = loggedDeliveries(store, "killed", log.clock);
  const paused = loggedDeliveries(store, "paused", log.clock);
  await test.ask(
    askedOf("in-two", {
      ...{ channel: "telegram", recipient: "1001", question: `${"a".repeat(4_000)}\n\n${"b".repeat(4_000)}` },
    }),
  );
  expect(await killed.start("in-two", 1)).toBe(true);
  expect(await killed.goOn("in-two", 1, ["101"])).toBe(true);
  // Whoever did not begin the attempt does not go on with it.
  expect(await paused.goOn("in-two", 1, ["101", "102"])).toBe(false);

  const sent: string[] = [];
  const telegram = createTelegramChannel({
    ...{ botToken: "1:token", webhookSecret: "hook-secret", apiUrl: "http://127.0.0.1:9" },
    recipients: { default: undefined, allowed: undefined },
  });
  const send = ({ body }: { body: Readonly<Record<string, unknown>> }): Promise<SendOutcome> => {
    sent.push(String(body["text"]));
    return Promise.resolve({ kind: "sent", messageId: `20${sent.length}` });
  };
  await test.worker([{ ...telegram, send }], { delivery_backoff_seconds: 0.05 });
  await eventually(
    async () => {
      expect(deliveryState((await test.stateOf("in-two")).delivery)).toBe("sent");
    },
    { withinMs: 15_000 },
  );
  expect(sent.filter((text) => text.includes("aaa"))).toEqual([]);
  const { delivery } = await test.stateOf("in-two");
  expect(delivery?.delivered?.message_ids.slice(0, 2)).toEqual(["101", "201"]);
});
