import { createTelegramChannel } from "@interlude/channel-telegram";
import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { deliveryState } from "@interlude/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askedOf, openDispatchers } from "./dispatcher-under-test.ts";

let test: Awaited<ReturnType<typeof openDispatchers>>;
let telegram: TelegramFake;
beforeAll(async () => {
  test = await openDispatchers();
  telegram = await startTelegramFake();
});
afterAll(async () => {
  await test.close();
  await telegram.stop();
});

const telegramChannel = () =>
  createTelegramChannel({
    botToken: telegram.token,
    webhookSecret: "secret",
    apiUrl: telegram.apiUrl,
    recipients: { default: undefined, allowed: undefined },
  });

describe("a channel's questions", () => {
  it("reach the person, and their delivery is told", async () => {
    await test.worker([telegramChannel()]);
    await test.ask(askedOf("first", { channel: "telegram", recipient: "1001" }));
    await eventually(async () => {
      const { delivery } = await test.stateOf("first");
      expect(deliveryState(delivery)).toBe("sent");
    });
    expect(telegram.requests.map(({ operation }) => operation)).toEqual(["sendMessage"]);
  });
});
