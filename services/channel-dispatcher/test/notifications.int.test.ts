import { createSmsChannel } from "@interlude/channel-sms";
import { formatInstant, type NotificationSentData } from "@interlude/contract";
import { createNotificationStore } from "@interlude/event-log";
import { newNonce } from "@interlude/secrets";
import { startTwilioFake, type TwilioFake } from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BASE_URL, openDispatchers } from "./dispatcher-under-test.ts";

let test: Awaited<ReturnType<typeof openDispatchers>>;
let twilio: TwilioFake;
let logger: Awaited<ReturnType<typeof test.worker>>["logger"];
beforeAll(async () => {
  test = await openDispatchers();
  twilio = await startTwilioFake();
  ({ logger } = await test.worker([
    createSmsChannel(
      {
        accountSid: twilio.accountSid,
        authToken: twilio.authToken,
        from: twilio.number,
        apiUrl: `${twilio.apiUrl.replace(/\/$/, "")}/`,
        recipients: { default: undefined, allowed: undefined },
      },
      { publicBaseUrl: BASE_URL },
    ),
  ]));
});
afterAll(async () => {
  await test.close();
  await twilio.stop();
});

async function notify(id: string, rest: Partial<NotificationSentData>): Promise<void> {
  await createNotificationStore(test.log).add({
    notification_id: id,
    sender: "asker",
    message: `Word of ${id}`,
    channel: "sms",
    recipient: "+15550001001",
    created_at: formatInstant(Date.now()),
    fingerprint: id,
    ...rest,
  });
}

const bodies = (): string[] => twilio.requests.map(({ fields }) => JSON.stringify(fields));

it("a notification is brought to its channel once, and what became of it is stored", async () => {
  await notify("note-0001", {});
  await eventually(() => {
    expect(bodies()).toHaveLength(1);
  });
  expect(bodies()[0]).toContain("Word of note-0001");
  const store = createNotificationStore(test.log);
  expect(await store.find("note-0001")).toMatchObject({ message: "Word of note-0001" });
  // A repeat under its id stores nothing, and so sends nothing.
  await notify("note-0001", {});
  await notify("note-0002", {});
  await eventually(() => {
    expect(bodies()).toHaveLength(2);
  });
  expect(bodies()[1]).toContain("Word of note-0002");
});

it("a form that nobody waits for is a link to its page", async () => {
  const ticket = { kid: "any", nonce: newNonce() };
  const schema = { type: "object", properties: { note: { type: "string" } } };
  await notify("form-0001", { schema, ticket });
  await eventually(() => {
    expect(bodies().at(-1)).toMatch(/api\/notifications\/form\/[\w-]+\.form-0001\./);
  });
});

it("a notification that is refused is told of by its id, with the provider's reason", async () => {
  twilio.fault({ kind: "fail", status: 400, code: 21_610, message: "unsubscribed recipient", times: 1 });
  await notify("refused-0001", {});
  await eventually(() => {
    const told = logger.lines.find(({ message }) => message === "a notification did not reach its person");
    expect(told?.fields).toEqual({
      ...{ channel: "sms", notification_id: "refused-0001" },
      reason: "unsubscribed recipient (code 21610)",
    });
  });
});
