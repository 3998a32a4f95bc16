import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, connect, type Driver, type Turn } from "@interlude/sdk";
import { type SlackFake, startSlackFake, startTwilioFake, type TwilioFake } from "@interlude/test-fakes";
import { eventually, temporaryHome } from "@interlude/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { talk } from "../support/talk.ts";

const [DIRECT, OPS, PHONE] = ["D0ADA", "C0OPS", "+15550001001"];

let slack: SlackFake;
let twilio: TwilioFake;
let interlude: Interlude;
let client: Client;
let driver: Driver;
const turns: Turn[] = [];
const talking = talk(() => interlude);
beforeAll(async () => {
  const routesFile = join(temporaryHome("routes"), "routes.json");
  writeFileSync(
    routesFile,
    JSON.stringify(["slack", "sms"].map((channel) => ({ channel, target: { driver: "echo" } }))),
  );
  [slack, twilio] = [await startSlackFake(), await startTwilioFake()];
  interlude = await startInterlude({
    env: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_API_URL: slack.apiUrl,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_FROM: twilio.number,
      TWILIO_API_URL: twilio.apiUrl,
      INTERLUDE_ROUTES_FILE: routesFile,
    },
  });
  slack.deliverTo(`${interlude.url}/api/channels/slack/webhook`);
  twilio.deliverTo(`${interlude.url}/api/channels/sms/webhook`);
  client = connect({ url: interlude.url, apiKey: interlude.apiKey });
  driver = await client.driver({
    ...{ name: "echo", checkpointer: { kind: "postgres" } },
    turn: ({ turn }) => {
      turns.push(turn);
      return `You said: ${turn.text}`;
    },
  });
});
afterAll(async () => {
  await driver.stop();
  await client.close();
  await interlude.stop();
  await slack.stop();
  await twilio.stop();
});
beforeEach(() => {
  turns.length = 0;
});

const inSlack = (conversation: string) =>
  slack.person.see().conversations.find(({ id }) => id === conversation)?.messages ?? [];
const onPhone = () => twilio.person.see().conversations.find(({ id }) => id === PHONE)?.messages ?? [];

describe("a conversation", () => {
  it("in Slack goes on in the direct message", async () => {
    await slack.person.type({ conversation: DIRECT, text: "hello <there>" });
    await eventually(() => {
      expect(inSlack(DIRECT).at(-1)).toMatchObject({ text: "You said: hello <there>" });
    });
    expect(turns).toMatchObject([{ channel: "slack", thread: DIRECT, text: "hello <there>" }]);
  });

  it("goes on in the same run when the person has been told something by another name", async () => {
    const say = async (text: string) => {
      await slack.person.type({ conversation: DIRECT, text });
      await eventually(() => {
        expect(inSlack(DIRECT).at(-1)).toMatchObject({ text: `You said: ${text}` });
      });
    };
    await say("before");
    const told = { message: "A word", channel: "slack", recipient: "U0ADA" };
    expect((await talking.call("POST", "/api/notifications", told)).status).toBe(202);
    await eventually(() => {
      expect(inSlack(DIRECT).at(-1)).toMatchObject({ text: "A word" });
    });
    await say("after");
    expect(turns.map(({ thread }) => thread)).toEqual([DIRECT, DIRECT]);
    expect(new Set(turns.map(({ runId }) => runId)).size).toBe(1);
  });

  it("in a shared Slack channel is replied to in the thread of what was said", async () => {
    const { message } = await slack.person.type({ conversation: OPS, text: "anybody?" });
    await eventually(() => {
      expect(slack.requests.at(-1)).toMatchObject({
        operation: "chat.postMessage",
        fields: { channel: OPS, thread_ts: message },
      });
    });
    expect(turns).toMatchObject([{ thread: OPS, text: "anybody?" }]);
  });

  it("in Slack takes a form of pages that nobody waits for, once, however often it is sent from where it is open", async () => {
    const { status } = await talking.call("POST", "/api/notifications", {
      ...{ message: "Tell us your size", channel: "slack", recipient: DIRECT },
      schema: {
        type: "object",
        properties: { size: { type: "string", title: "Size" }, colour: { type: "string", title: "Colour" } },
      },
      pages: [
        { title: "Size", properties: ["size"] },
        { title: "Look", properties: ["colour"] },
      ],
    });
    expect(status).toBe(202);
    await eventually(() => {
      expect(inSlack(DIRECT).at(-1)?.text).toBe("Tell us your size");
    });
    const message = inSlack(DIRECT).at(-1)?.id ?? "";
    await slack.person.tap({ conversation: DIRECT, message, control: "Fill in the form" });
    const form = slack.person.see().form?.id ?? "";
    await slack.person.submit({ form, values: { Size: "large" } });
    slack.webhooks.hold();
    for (const Colour of ["red", "red"]) await slack.person.submit({ form, values: { Colour } });
    await slack.webhooks.release();
    await slack.person.dismiss(form);
    await eventually(() => {
      expect(inSlack(DIRECT).at(-1)?.text).toBe("You said: Size: large\nColour: red");
    });
    await slack.person.type({ conversation: DIRECT, text: "and that is all" });
    await eventually(() => {
      expect(turns.at(-1)?.text).toBe("and that is all");
    });
    expect(turns.map(({ text }) => text)).toEqual(["Size: large\nColour: red", "and that is all"]);
  });

  it("over SMS takes what is said, in order, and what is put into a form that nobody waits for", async () => {
    await twilio.person.type({ conversation: PHONE, text: "one" });
    await twilio.person.type({ conversation: PHONE, text: "two" });
    await eventually(() => {
      expect(onPhone().map(({ text }) => text)).toEqual(["one", "two", "You said: one", "You said: two"]);
    });
    const { status } = await talking.call("POST", "/api/notifications", {
      ...{ message: "Tell us your size", channel: "sms", recipient: PHONE },
      schema: { type: "object", properties: { size: { type: "string", title: "Size" } } },
    });
    expect(status).toBe(202);
    let url = "";
    await eventually(() => {
      url = /http\S+\/api\/notifications\/form\/\S+/.exec(onPhone().at(-1)?.text ?? "")?.[0] ?? "";
      expect(url).not.toBe("");
    });
    const body = new URLSearchParams({ size: "large" });
    expect((await fetch(url, { method: "POST", body })).status).toBe(200);
    await eventually(() => {
      expect(onPhone().at(-1)?.text).toBe("You said: Size: large");
    });
    expect(turns.map(({ text }) => text)).toEqual(["one", "two", "Size: large"]);
    expect(new Set(turns.map(({ runId }) => runId)).size).toBe(1);
  });
});
