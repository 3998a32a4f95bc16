import { openLog } from "@interlude/event-log";
import type { SlackFake } from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ADA,
  FORM,
  PAGES,
  slackVariables,
  TRAVEL,
  slackViews,
  startWithSlack,
} from "../support/slack-views.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
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
    const next = await startInterlude({ env: slackVariables(slack), beside: interlude });
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
