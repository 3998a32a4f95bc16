import { createTelegramChannel } from "@interlude/channel-telegram";
import { deliveryState } from "@interlude/domain";
import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askedOf, openDispatchers } from "./dispatcher-under-test.ts";

let test: Awaited<ReturnType<typeof openDispatchers>>;
let telegram: TelegramFake;
beforeAll(async () => {
  test = await openDispatchers();
  telegram = await startTelegramFake();
  await test.worker([
    createTelegramChannel({
      botToken: telegram.token,
      webhookSecret: "secret",
      apiUrl: telegram.apiUrl,
      recipients: { default: undefined, allowed: undefined },
    }),
  ]);
});
afterAll(async () => {
  await test.close();
  await telegram.stop();
});
beforeEach(() => {
  telegram.forgetRequests();
});

const ADA = { channel: "telegram", recipient: "1001" };
const BO = { channel: "telegram", recipient: "1002" };

async function untilState(id: string, state: string, withinMs = 8_000): Promise<void> {
  await eventually(
    async () => {
      expect(deliveryState((await test.stateOf(id)).delivery)).toBe(state);
    },
    { withinMs },
  );
}

const operations = (): string[] => telegram.requests.map(({ operation }) => operation);

describe("a channel's questions", () => {
  it("reach the person, and their delivery is told", async () => {
    await test.ask(askedOf("first", ADA));
    await untilState("first", "sent");
    expect(operations()).toEqual(["sendMessage"]);
    expect(await test.stateOf("first")).toMatchObject({
      delivery: { delivered: { address: "1001", shape: "buttons", attempt: 1 } },
    });
  });

  it("are updated when they end elsewhere", async () => {
    await test.ask(askedOf("ends", ADA));
    await untilState("ends", "sent");
    await test.decide("ends", { type: "Cancel", cancelledBy: "asker", nowMs: Date.now() });
    await eventually(() => {
      expect(operations()).toEqual(["sendMessage", "editMessageText"]);
    });
    expect(JSON.stringify(telegram.requests.at(-1))).toContain("This question was cancelled.");
  });

  it("wait as long as the provider says, and are sent in order", async () => {
    telegram.fault({ kind: "fail", status: 429, retryAfterSeconds: 2, times: 1, operation: "sendMessage" });
    const beganMs = performance.now();
    for (const id of ["order-1", "order-2", "order-3"]) await test.ask(askedOf(id, BO));
    await untilState("order-3", "sent");
    expect(performance.now() - beganMs).toBeGreaterThan(1_900);
    const texts = telegram.requests.map((request) => /order-\d/.exec(JSON.stringify(request))?.[0]);
    expect(texts).toEqual(["order-1", "order-1", "order-2", "order-3"]);
  });

  it("end as failed with the reason when the provider refuses them", async () => {
    await test.ask(askedOf("nobody", { channel: "telegram", recipient: "424242" }));
    await eventually(async () => {
      expect(await test.stateOf("nobody")).toMatchObject({ status: "failed", failed: { delivery: true } });
    });
    await untilState("nobody", "failed");
  });

  it("of which nobody knows whether they arrived are sent once more, and stay pending", async () => {
    telegram.fault({ kind: "drop", when: "after", times: 2, operation: "sendMessage" });
    await test.ask(askedOf("lost", ADA));
    await untilState("lost", "unknown");
    expect((await test.stateOf("lost")).status).toBe("pending");
    expect(operations()).toEqual(["sendMessage", "sendMessage"]);
  });

  it("are not sent once their time is over", async () => {
    telegram.fault({ kind: "fail", status: 429, retryAfterSeconds: 60, times: 1, operation: "sendMessage" });
    const timeout_at = new Date(Date.now() + 1_500).toISOString();
    await test.ask(askedOf("short", { ...ADA, timeout_at }));
    await eventually(async () => {
      expect((await test.stateOf("short")).status).toBe("failed");
    });
    expect(operations()).toEqual(["sendMessage"]);
  });
});
