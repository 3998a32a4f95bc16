import type { SlackFake } from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADA, FORM, OPS, slackViews, startWithSlack } from "../support/slack-views.ts";
import type { Interlude } from "../support/start-interlude.ts";
import { talk } from "../support/talk.ts";

let slack: SlackFake;
let interlude: Interlude;
beforeAll(async () => {
  ({ slack, interlude } = await startWithSlack());
});
afterAll(async () => {
  await interlude.stop();
  await slack.stop();
});

const talking = talk(() => interlude);
const { lastIn, messagesOf, openForm, untilShown } = slackViews(() => slack);

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
