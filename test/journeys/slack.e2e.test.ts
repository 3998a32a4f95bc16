import { openLog } from "@interlude/event-log";
import { type SlackFake, startSlackFake } from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { talk } from "../support/talk.ts";

let slack: SlackFake;
let interlude: Interlude;
const SLACK = () => ({
  SLACK_BOT_TOKEN: slack.botToken,
  SLACK_SIGNING_SECRET: slack.signingSecret,
  SLACK_API_URL: slack.apiUrl,
});
beforeAll(async () => {
  slack = await startSlackFake();
  interlude = await startInterlude({ env: SLACK() });
  slack.deliverTo(`${interlude.url}/api/channels/slack/webhook`);
});
afterAll(async () => {
  await interlude.stop();
  await slack.stop();
});

const talking = talk(() => interlude);

const ADA = "D0ADA";
const OPS = "C0OPS";

function messagesOf(conversation: string) {
  return slack.person.see().conversations.find(({ id }) => id === conversation)?.messages ?? [];
}

/** The last message that a conversation shows. */
function lastIn(conversation: string) {
  const message = messagesOf(conversation).at(-1);
  if (message === undefined) throw new Error("the conversation is empty");
  return message;
}

async function untilShown(conversation: string, message: string, text: string): Promise<void> {
  await eventually(() => {
    const shown = messagesOf(conversation).find(({ id }) => id === message);
    expect(shown?.text).toContain(text);
    expect(shown?.controls).toEqual([]);
  });
}

const openForm = () => slack.person.see().form;

const TRAVEL = {
  type: "object",
  required: ["city", "nights"],
  properties: {
    city: { type: "string", title: "City" },
    nights: { type: "integer", title: "Nights", minimum: 1 },
    class: { type: "string", title: "Class", enum: ["any"] },
    insured: { type: "boolean", title: "Insured" },
  },
};
const PAGES = [
  { title: "The trip", properties: ["city", "nights"] },
  { title: "The rest", properties: ["class", "insured"] },
];
const FORM = {
  question: "Where to?",
  answer_format: "form",
  channel: "slack",
  schema: TRAVEL,
  data: {
    values: { city: "Graz", nights: 2 },
    options: {
      class: [
        { value: "eco", label: "Economy" },
        { value: "biz", label: "Business" },
      ],
    },
  },
};

describe("a form in Slack", () => {
  it("is a modal that a tap opens, filled as the ask says, and what is sent is the answer", async () => {
    await talking.ask({ ...FORM, id: "slack-form-1", recipient: ADA });
    const message = lastIn(ADA);
    await slack.person.tap({ conversation: ADA, message: message.id, control: "Fill in the form" });
    const form = openForm();
    expect(form?.texts).toEqual(["Where to?"]);
    expect(form?.fields.map(({ label, value }) => [label, value])).toEqual([
      ["City", "Graz"],
      ["Nights", "2"],
      ["Class", undefined],
      ["Insured", undefined],
    ]);
    expect(form?.fields[2]?.options?.map(({ label }) => label)).toEqual(["Economy", "Business"]);
    const values = { City: "Wien", Nights: "3", Class: "Business", Insured: "Yes" };
    const sent = await slack.person.submit({ form: form?.id ?? "", values });
    expect(sent.errors).toBeUndefined();
    expect(openForm()).toBeUndefined();
    await talking.untilItem("slack-form-1", {
      status: "answered",
      answer: { city: "Wien", nights: 3, class: "biz", insured: true },
      answered_by: "channel:slack:U0ADA",
    });
    await untilShown(ADA, message.id, "Answered");
  });

  it("tells what does not fit at its field, and takes it corrected", async () => {
    await talking.ask({ ...FORM, id: "slack-form-2", recipient: OPS });
    await slack.person.tap({
      conversation: OPS,
      message: lastIn(OPS).id,
      control: "Fill in the form",
      as: "U0BO",
    });
    const id = openForm()?.id ?? "";
    const wrong = await slack.person.submit({ form: id, values: { City: "Wien", Nights: "0" } });
    expect(wrong.errors).toEqual({ field_1: expect.stringContaining("1") as string });
    await talking.untilItem("slack-form-2", { status: "pending" });
    await slack.person.submit({ form: id, values: { City: "Wien", Nights: "1" } });
    await talking.untilItem("slack-form-2", {
      ...{ status: "answered", answer: { city: "Wien", nights: 1, insured: false } },
      answered_by: "channel:slack:U0BO",
    });
  });

  it("that is over says so, to who opens it and to who sends it", async () => {
    await talking.ask({ ...FORM, id: "slack-form-3", recipient: ADA });
    const { id: message } = lastIn(ADA);
    await slack.person.tap({ conversation: ADA, message, control: "Fill in the form" });
    const form = openForm()?.id ?? "";
    await talking.call("POST", "/api/interactions/slack-form-3/cancel", {});
    const late = await slack.person.submit({ form, values: { City: "Wien", Nights: "1" } });
    expect(late.errors).toEqual({ field_0: "This question was cancelled." });
    await slack.person.dismiss(form);
    await untilShown(ADA, message, "This question was cancelled.");
    await talking.untilItem("slack-form-3", { status: "cancelled" });
  });

  it("that is sent again and again answers once", async () => {
    await talking.ask({ ...FORM, id: "slack-form-4", recipient: ADA });
    const { id: message } = lastIn(ADA);
    await slack.person.tap({ conversation: ADA, message, control: "Fill in the form" });
    await slack.person.submit({ form: openForm()?.id ?? "", values: { City: "Wien", Nights: "1" } });
    await talking.untilItem("slack-form-4", { status: "answered" });
    await untilShown(ADA, message, "Answered");
    const before = messagesOf(ADA).length;
    const again = await slack.webhooks.redeliver();
    expect(again).toBeDefined();
    await talking.untilItem("slack-form-4", {
      status: "answered",
      answer: { city: "Wien", nights: 1, insured: false },
    });
    expect(openForm()).toBeUndefined();
    expect(messagesOf(ADA)).toHaveLength(before);
  });
});

describe("a form of pages in Slack", () => {
  const paged = { ...FORM, pages: PAGES };
  const shown = () => {
    const form = openForm();
    if (form === undefined) throw new Error("no form is open");
    return form;
  };
  const values = () => Object.fromEntries(shown().fields.map(({ label, value }) => [label, value]));
  const submit = (put: Record<string, string>) => slack.person.submit({ form: shown().id, values: put });
  const back = (put: Record<string, string> = {}) =>
    slack.person.press({ form: shown().id, button: "Back", values: put });
  async function open(id: string, more: object = {}): Promise<string> {
    await talking.ask({ ...paged, id, recipient: ADA, ...more });
    const { id: message } = lastIn(ADA);
    await slack.person.tap({ conversation: ADA, message, control: "Fill in the form" });
    return message;
  }
  const isAt = (step: string) =>
    eventually(() => {
      expect(shown().texts).toContain(step);
    });

  it("is gone through step by step, filled as the ask says, and the last one answers with all", async () => {
    const message = await open("slack-steps-1");
    expect(shown()).toMatchObject({
      ...{ submit: "Next", texts: ["Where to?", "The trip", "Step 1 of 2"] },
    });
    expect(shown().buttons).toBeUndefined();
    expect(values()).toEqual({ City: "Graz", Nights: "2" });
    await submit({ City: "Wien", Nights: "3" });
    expect(shown()).toMatchObject({
      ...{ submit: "Send", texts: ["Where to?", "The rest", "Step 2 of 2"], buttons: [{ label: "Back" }] },
    });
    expect(shown().fields[0]?.options?.map(({ label }) => label)).toEqual(["Economy", "Business"]);
    await submit({ Class: "Business", Insured: "Yes" });
    expect(openForm()).toBeUndefined();
    await talking.untilItem("slack-steps-1", {
      status: "answered",
      answer: { city: "Wien", nights: 3, class: "biz", insured: true },
      answered_by: "channel:slack:U0ADA",
    });
    await untilShown(ADA, message, "Answered");
  });

  it("tells what does not fit of a step in that step", async () => {
    await open("slack-steps-2");
    expect(await submit({ City: "Wien", Nights: "0" })).toMatchObject({
      errors: { field_1: expect.stringContaining("1") as string },
    });
    expect(shown().texts).toContain("Step 1 of 2");
    await submit({ City: "Wien", Nights: "1" });
    expect(shown().texts).toContain("Step 2 of 2");
    await submit({});
    await talking.untilItem("slack-steps-2", { answer: { city: "Wien", nights: 1, insured: false } });
  });

  it("goes back and on again, and everything stands where the person left it", async () => {
    await open("slack-steps-3");
    await submit({ City: "Wien", Nights: "4" });
    await back({ Class: "Economy", Insured: "Yes" });
    await isAt("Step 1 of 2");
    expect(values()).toEqual({ City: "Wien", Nights: "4" });
    await submit({ City: "Linz", Nights: "5" });
    expect(values()).toEqual({ Class: "0", Insured: "true" });
    await submit({ Class: "Business", Insured: "Yes" });
    await talking.untilItem("slack-steps-3", {
      answer: { city: "Linz", nights: 5, class: "biz", insured: true },
    });
  });

  it("goes back to the step that turns out not to fit once the whole is there, and says why", async () => {
    const schema = {
      ...TRAVEL,
      if: { properties: { class: { const: "biz" } }, required: ["class"] },
      then: { properties: { nights: { minimum: 3 } } },
    };
    await open("slack-steps-4", { schema });
    await submit({ City: "Wien", Nights: "2" });
    expect((await submit({ Class: "Business" })).errors).toBeUndefined();
    const said = expect.stringContaining("nights must be") as string;
    expect(shown().texts).toEqual(["Where to?", said, "The trip", "Step 1 of 2"]);
    expect(values()).toEqual({ City: "Wien", Nights: "2" });
    await talking.untilItem("slack-steps-4", { status: "pending" });
    await submit({ City: "Wien", Nights: "3" });
    expect(values()).toEqual({ Class: "1", Insured: undefined });
    await submit({ Class: "Business" });
    await talking.untilItem("slack-steps-4", {
      answer: { city: "Wien", nights: 3, class: "biz", insured: false },
    });
  });

  it("whose step is delivered again shows the same step, and answers once", async () => {
    await open("slack-steps-5");
    await submit({ City: "Wien", Nights: "1" });
    const replies = async () => (await slack.webhooks.redeliver()).attempts.at(-1)?.outcome;
    expect(JSON.stringify(await replies())).toContain("Step 2 of 2");
    await submit({});
    await talking.untilItem("slack-steps-5", { status: "answered" });
    expect(await replies()).toMatchObject({ kind: "answered", status: 200, body: "" });
    await talking.untilItem("slack-steps-5", { answer: { city: "Wien", nights: 1, insured: false } });
  });

  it("that is over between two steps says so at the next one, and on the way back", async () => {
    await open("slack-steps-6");
    await submit({ City: "Wien", Nights: "1" });
    await talking.call("POST", "/api/interactions/slack-steps-6/cancel", {});
    const late = await submit({ Class: "Business" });
    expect(late.errors).toEqual({ field_2: "This question was cancelled." });
    await back();
    await isAt("This question was cancelled.");
    await slack.person.dismiss(shown().id);
  });

  it("that expires between two steps says so", async () => {
    await open("slack-steps-7", { timeout_seconds: 2, data: {}, schema: { ...TRAVEL } });
    await submit({ City: "Wien", Nights: "1" });
    await talking.untilItem("slack-steps-7", { status: "expired" });
    expect((await submit({})).errors).toEqual({ field_2: "This question has expired." });
    await slack.person.dismiss(shown().id);
  });

  it("goes on in a process that has seen nothing of the steps before", async () => {
    const message = await open("slack-steps-8");
    await submit({ City: "Wien", Nights: "6" });
    const next = await startInterlude({ env: SLACK(), beside: interlude });
    try {
      slack.deliverTo(`${next.url}/api/channels/slack/webhook`);
      await submit({ Class: "Economy" });
    } finally {
      slack.deliverTo(`${interlude.url}/api/channels/slack/webhook`);
      await next.detach();
    }
    await talking.untilItem("slack-steps-8", {
      answer: { city: "Wien", nights: 6, class: "eco", insured: false },
    });
    await untilShown(ADA, message, "Answered");
  });

  it("that is sensitive leaves no step behind, also none that was gone back to, and repeats answer nothing", async () => {
    const log = await openLog({ url: interlude.nats.url, service: "journey" });
    const kinds = async (from: number): Promise<string[]> => {
      const { last_seq } = (await log.manager.streams.info("INBOUND")).state;
      const found: string[] = [];
      for (let seq = from + 1; seq <= last_seq; seq++) {
        const stored = await log.manager.streams.getMessage("INBOUND", { seq }).catch(() => null);
        const entry = stored?.json<{ kind: string }>();
        if (entry !== undefined) found.push(entry.kind);
      }
      return found;
    };
    try {
      await open("slack-steps-secret", { sensitive: true });
      const { last_seq: before } = (await log.manager.streams.info("INBOUND")).state;
      await submit({ City: "Wien", Nights: "1" });
      await back();
      await isAt("Step 1 of 2");
      await submit({ City: "Linz", Nights: "2" });
      expect((await kinds(before)).filter((kind) => kind === "submission")).toHaveLength(2);
      await submit({ Class: "Business" });
      await talking.untilItem("slack-steps-secret", { status: "answered" });
      await eventually(async () => {
        const left = await kinds(before);
        expect(left.filter((kind) => kind === "submission")).toEqual([]);
        expect(left.length).toBeGreaterThan(3);
      });
      const again = (await slack.webhooks.redeliver()).attempts.at(-1)?.outcome;
      expect(again).toMatchObject({ kind: "answered", status: 200, body: "" });
      expect((await talking.call("GET", "/api/interactions/slack-steps-secret/result")).body).toMatchObject({
        answer: { city: "Linz", nights: 2, class: "biz", insured: false },
      });
    } finally {
      await log.close();
    }
  });

  it("of a notification is gone through too", async () => {
    const { question: message, schema, data, pages } = paged;
    const before = messagesOf(ADA).length;
    const told = { message, schema, data, pages, channel: "slack", recipient: ADA };
    expect((await talking.call("POST", "/api/notifications", told)).status).toBe(202);
    await eventually(() => {
      expect(messagesOf(ADA).length).toBeGreaterThan(before);
    });
    await slack.person.tap({ conversation: ADA, message: lastIn(ADA).id, control: "Fill in the form" });
    await submit({ City: "Wien", Nights: "1" });
    expect(shown().texts).toContain("Step 2 of 2");
    await submit({ Class: "Business" });
    expect(openForm()).toBeUndefined();
  });
});

describe("a form in Slack that nobody waits for", () => {
  it("is a modal too; what is sent is said once, and faults are told at their fields", async () => {
    const { question: message, schema, data } = FORM;
    const told = { message, schema, data, channel: "slack", recipient: ADA };
    const before = messagesOf(ADA).length;
    expect((await talking.call("POST", "/api/notifications", told)).status).toBe(202);
    await eventually(() => {
      expect(messagesOf(ADA).length).toBeGreaterThan(before);
    });
    await slack.person.tap({ conversation: ADA, message: lastIn(ADA).id, control: "Fill in the form" });
    const form = openForm()?.id ?? "";
    const wrong = await slack.person.submit({ form, values: { City: "Wien", Nights: "0" } });
    expect(Object.keys(wrong.errors ?? {})).toEqual(["field_1"]);
    const sent = await slack.person.submit({ form, values: { City: "Wien", Nights: "1" } });
    expect(sent.errors).toBeUndefined();
    expect(openForm()).toBeUndefined();
  });
});

describe("a reply in Slack that does not fit", () => {
  const choice = { channel: "slack", answer_format: "select", question: "Which?", options: ["Red", "Blue"] };

  async function untilNotice(conversation: string) {
    await eventually(() => {
      expect(lastIn(conversation)).toMatchObject({ fromApp: true });
      expect(lastIn(conversation).text).toContain("one of the options");
    });
    return lastIn(conversation);
  }

  it("is told so in the direct messages plainly, where the next words answer", async () => {
    await talking.ask({ ...choice, id: "slack-unfit-direct", recipient: ADA });
    await slack.person.type({ conversation: ADA, text: "green" });
    expect((await untilNotice(ADA)).replyTo).toBeUndefined();
    await slack.person.type({ conversation: ADA, text: "red" });
    await talking.untilItem("slack-unfit-direct", { status: "answered", answer: "Red" });
  });

  it("is told so in a channel in the question's own thread", async () => {
    await talking.ask({ ...choice, id: "slack-unfit-channel", recipient: OPS });
    const { id: question } = lastIn(OPS);
    await slack.person.type({ conversation: OPS, text: "green", replyTo: question, as: "U0BO" });
    expect((await untilNotice(OPS)).replyTo).toBe(question);
    await slack.person.type({ conversation: OPS, text: "blue", replyTo: question, as: "U0BO" });
    await talking.untilItem("slack-unfit-channel", { status: "answered", answer: "Blue" });
  });
});

describe("a person who is asked by two names", () => {
  const MEMBER = "U0ADA";
  const ofHere = () => lastIn(ADA).id;

  it("answers what was asked by either: by a tap, in words, and in a form", async () => {
    const confirm = { channel: "slack", question: "Shall we?", answer_format: "confirm" };
    await talking.ask({ ...confirm, id: "slack-member", recipient: MEMBER });
    await slack.person.tap({ conversation: ADA, message: ofHere(), control: "Yes" });
    await talking.untilItem("slack-member", { status: "answered", answer: true });

    await talking.ask({ ...confirm, id: "slack-direct", recipient: ADA });
    await slack.person.tap({ conversation: ADA, message: ofHere(), control: "No" });
    await talking.untilItem("slack-direct", { status: "answered", answer: false });

    const code = { channel: "slack", question: "The code?", sensitive: true };
    await talking.ask({ ...code, id: "slack-direct-words", recipient: ADA });
    await slack.person.type({ conversation: ADA, text: "red-alder-77" });
    await talking.untilItem("slack-direct-words", { status: "answered" });

    await talking.ask({ ...FORM, id: "slack-direct-form", recipient: ADA });
    await slack.person.tap({ conversation: ADA, message: ofHere(), control: "Fill in the form" });
    await slack.person.submit({ form: openForm()?.id ?? "", values: { City: "Wien", Nights: "1" } });
    await talking.untilItem("slack-direct-form", { status: "answered", answer: { city: "Wien" } });
  });

  it("is asked which they mean when both wait", async () => {
    const text = { channel: "slack", question: "How so?" };
    await talking.ask({ ...text, id: "slack-either-1", recipient: MEMBER });
    const first = ofHere();
    await talking.ask({ ...text, id: "slack-either-2", recipient: ADA });
    await slack.person.type({ conversation: ADA, text: "because" });
    await eventually(() => {
      expect(lastIn(ADA).text).toContain("the question that you mean");
    });
    await slack.person.type({ conversation: ADA, text: "just so", replyTo: first });
    await talking.untilItem("slack-either-1", { status: "answered", answer: "just so" });
    await talking.untilItem("slack-either-2", { status: "pending" });
  });
});
