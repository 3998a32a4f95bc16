import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startWhatsAppFake, type WhatsAppFake } from "@interlude/test-fakes";
import { eventually, temporaryHome } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { talk } from "../support/talk.ts";

let whatsapp: WhatsAppFake;
let interlude: Interlude;
beforeAll(async () => {
  whatsapp = await startWhatsAppFake({ hasWritten: true });
  const routesFile = join(temporaryHome("routes"), "routes.json");
  const route = { channel: "whatsapp", match: { text_prefix: "City:" }, target: { driver: "desk" } };
  writeFileSync(routesFile, JSON.stringify([route]));
  interlude = await startInterlude({
    env: {
      WHATSAPP_ACCESS_TOKEN: whatsapp.accessToken,
      WHATSAPP_APP_SECRET: whatsapp.appSecret,
      WHATSAPP_PHONE_NUMBER_ID: whatsapp.phoneNumberId,
      WHATSAPP_VERIFY_TOKEN: whatsapp.verifyToken,
      WHATSAPP_WABA_ID: whatsapp.wabaId,
      WHATSAPP_ASK_TEMPLATE: "question/en",
      WHATSAPP_API_URL: whatsapp.apiUrl,
      INTERLUDE_ROUTES_FILE: routesFile,
    },
  });
  whatsapp.deliverTo(`${interlude.url}/api/channels/whatsapp/webhook`);
});
afterAll(async () => {
  await interlude.stop();
  await whatsapp.stop();
});

const talking = talk(() => interlude);

const ADA = "15550001001";
const BO = "15550001002";

function messagesOf(person: string) {
  return whatsapp.person.see().conversations.find(({ id }) => id === person)?.messages ?? [];
}

/** The last message of that text, other than one that was there before. */
async function untilTold(person: string, text: string, before?: { id: string }) {
  let found = messagesOf(person).at(-1);
  await eventually(() => {
    found = messagesOf(person).findLast((message) => message.fromApp && message.text.includes(text));
    expect(found).toBeDefined();
    expect(found?.id).not.toBe(before?.id);
  });
  if (found === undefined) throw new Error("nothing was told");
  return found;
}

const ask = { channel: "whatsapp", recipient: `+${ADA}` };

it("the address is taken with the handshake, and with no other token", async () => {
  expect((await whatsapp.handshake()).attempts.at(-1)?.outcome).toMatchObject({ status: 200 });
  const guessed = (await whatsapp.handshake("guess")).attempts.at(-1)?.outcome;
  expect(guessed).not.toMatchObject({ status: 200 });
});

describe("a form in WhatsApp", () => {
  const schema = {
    type: "object",
    required: ["city", "nights"],
    properties: {
      city: { type: "string", title: "City" },
      nights: { type: "integer", title: "Nights", minimum: 1 },
      class: { type: "string", title: "Class", enum: ["Economy", "Business"] },
      insured: { type: "boolean", title: "Insured" },
    },
  };
  const form = { ...ask, question: "Where to?", answer_format: "form", schema };

  it("is a Flow; what does not fit is told with the form once more, and corrected it is the answer", async () => {
    await talking.ask({ ...form, id: "whatsapp-form" });
    const message = await untilTold(ADA, "Where to?");
    await whatsapp.person.tap({ conversation: ADA, message: message.id, control: "Fill in the form" });
    const shown = whatsapp.person.see().form;
    expect(shown?.fields.map(({ label }) => label)).toEqual(["City", "Nights", "Class", "Insured"]);
    const values = { field_0: "Wien", field_1: "0", choice_2: "1" };
    await whatsapp.person.submit({ form: shown?.id ?? "", values });
    await untilTold(ADA, "nights must be");
    const again = await untilTold(ADA, "Where to?", message);
    await talking.untilItem("whatsapp-form", { status: "pending" });
    await whatsapp.person.tap({ conversation: ADA, message: again.id, control: "Fill in the form" });
    await whatsapp.person.submit({ form: again.id, values: { ...values, field_1: "2" } });
    await talking.untilItem("whatsapp-form", {
      ...{ status: "answered", answered_by: `channel:whatsapp:${ADA}` },
      answer: { city: "Wien", nights: 2, class: "Business", insured: false },
    });
    await whatsapp.webhooks.redeliver();
    await talking.untilItem("whatsapp-form", { status: "answered", answer: { city: "Wien", nights: 2 } });
  });

  const pages = [
    { title: "The trip", properties: ["city", "nights"] },
    { title: "The rest", properties: ["class", "insured"] },
  ];
  const data = {
    values: { city: "Graz", class: "biz", insured: true },
    options: {
      class: [
        { value: "eco", label: "By coach" },
        { value: "biz", label: "In front" },
      ],
    },
  };
  const tap = (message: string) =>
    whatsapp.person.tap({ conversation: ADA, message, control: "Fill in the form" });
  const shown = () => whatsapp.person.see().form;

  it("is a screen for each page, filled and offered as this ask says, and goes back", async () => {
    await talking.ask({ ...form, id: "whatsapp-pages", pages, data });
    const { id } = await untilTold(ADA, "Where to?");
    await tap(id);
    expect(shown()).toMatchObject({ title: "The trip", submit: "Next" });
    expect(shown()?.fields.map(({ label, value }) => [label, value])).toEqual([
      ["City", "Graz"],
      ["Nights", undefined],
    ]);
    await whatsapp.person.submit({ form: id, values: { field_1: "2" } });
    expect(shown()).toMatchObject({ title: "The rest", submit: "Send" });
    expect(shown()?.fields.map(({ label, value }) => [label, value])).toEqual([
      ["Class", "1"],
      ["Insured", "true"],
    ]);
    expect(shown()?.fields[0]?.options?.map(({ label }) => label)).toEqual(["By coach", "In front"]);
    await whatsapp.person.press({ form: id, button: "Back", values: {} });
    expect(shown()).toMatchObject({ title: "The trip", fields: [{ value: "Graz" }, { value: "2" }] });
    await whatsapp.person.submit({ form: id, values: { field_0: "Wien", field_1: "3" } });
    await whatsapp.person.submit({ form: id, values: { field_3: "false" } });
    await talking.untilItem("whatsapp-pages", {
      ...{ status: "answered", answered_by: `channel:whatsapp:${ADA}` },
      answer: { city: "Wien", nights: 3, class: "biz", insured: false },
    });
  });

  it("of pages is sent once more when something of an earlier page does not fit", async () => {
    await talking.ask({ ...form, id: "whatsapp-pages-fault", pages });
    const message = await untilTold(ADA, "Where to?");
    const fill = async (id: string, nights: string) => {
      await tap(id);
      await whatsapp.person.submit({ form: id, values: { field_0: "Wien", field_1: nights } });
      await whatsapp.person.submit({ form: id, values: {} });
    };
    await fill(message.id, "0");
    await untilTold(ADA, "nights must be");
    const again = await untilTold(ADA, "Where to?", message);
    await fill(again.id, "1");
    await talking.untilItem("whatsapp-pages-fault", {
      ...{ status: "answered", answer: { city: "Wien", nights: 1, insured: false } },
    });
  });

  it("is a page where a Flow has no way to hold what this ask fills in", async () => {
    const values = { city: `Graz ${"x".repeat(600)}` };
    await talking.ask({ ...form, id: "whatsapp-page", data: { values } });
    const { controls } = await untilTold(ADA, "Where to?");
    expect(controls).toMatchObject([{ kind: "link", label: "Fill in the form" }]);
    const page = await (await fetch(controls?.[0]?.url ?? "")).text();
    expect(page).toContain("Graz xxx");
    await talking.call("POST", "/api/interactions/whatsapp-page/cancel", {});
  });
});

describe("what comes too late in WhatsApp", () => {
  it("a tap is told how the question ended, in reply to it", async () => {
    const confirm = { ...ask, question: "Still?", answer_format: "confirm" };
    await talking.ask({ ...confirm, id: "whatsapp-over" });
    const { id: message } = await untilTold(ADA, "Still?");
    await talking.call("POST", "/api/interactions/whatsapp-over/cancel", {});
    await whatsapp.person.tap({ conversation: ADA, message, control: "Yes" });
    expect(await untilTold(ADA, "This question was cancelled.")).toMatchObject({ replyTo: message });
    await talking.untilItem("whatsapp-over", { status: "cancelled" });
  });

  it("a form goes to the conversation, as lines that a person can read", async () => {
    await talking.call("POST", "/api/drivers", { name: "desk", checkpointer: { kind: "postgres" } });
    const schema = {
      type: "object",
      properties: { city: { type: "string", title: "City" }, nights: { type: "integer", title: "Nights" } },
    };
    await talking.ask({ ...ask, id: "whatsapp-late", question: "Where?", answer_format: "form", schema });
    const { id: message } = await untilTold(ADA, "Where?");
    await whatsapp.person.tap({ conversation: ADA, message, control: "Fill in the form" });
    await talking.call("POST", "/api/interactions/whatsapp-late/cancel", {});
    const form = whatsapp.person.see().form?.id ?? "";
    await whatsapp.person.submit({ form, values: { field_0: "Wien", field_1: "2" } });
    const claimed = await talking.call("POST", "/api/drivers/desk/claims?wait=10");
    expect(claimed).toMatchObject({ status: 200, body: { turn: { text: "City: Wien\nNights: 2" } } });
  });
});

describe("a person who has not written for a day", () => {
  const DAY_MS = 86_400_000 + 60_000;

  it("is sent the template, and the question once they have written", async () => {
    whatsapp.advanceClock(DAY_MS);
    await talking.ask({
      ...{ ...ask, id: "whatsapp-opened", recipient: `+${BO}` },
      ...{ question: "Shall we ship?", answer_format: "confirm" },
    });
    const opener = await untilTold(BO, "[template question]");
    expect(opener.text).toContain("Shall we ship?");
    await whatsapp.person.type({ conversation: BO, text: "yes?" });
    const question = await untilTold(BO, "Shall we ship?", opener);
    await talking.untilItem("whatsapp-opened", { status: "pending", delivery: { state: "sent" } });
    await whatsapp.person.tap({ conversation: BO, message: question.id, control: "Yes" });
    await talking.untilItem("whatsapp-opened", {
      ...{ status: "answered", answer: true, answered_by: `channel:whatsapp:${BO}` },
    });
  });
});
