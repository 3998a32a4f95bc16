import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Fields } from "../core/json.ts";
import { type Receiver, startReceiver } from "../core/receiver.ts";
import { WHATSAPP_LIMITS as LIMITS } from "./limits.ts";
import { metaSignature } from "./sign.ts";
import { startWhatsAppFake, type WhatsAppFake } from "./start-whatsapp-fake.ts";

const ADA = "15550001001";
let fake: WhatsAppFake;
let receiver: Receiver;
beforeEach(async () => {
  [fake, receiver] = await Promise.all([startWhatsAppFake({ hasWritten: true }), startReceiver()]);
  fake.deliverTo(`${receiver.url}/hook`);
});
afterEach(async () => {
  await Promise.all([fake.stop(), receiver.stop()]);
});

type Sent = { status: number; error?: { code: number; error_data: { details: string } } } & Fields;

async function post(path: string, body: Fields, token = fake.accessToken): Promise<Sent> {
  const response = await fetch(`${fake.apiUrl}/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { ...((await response.json()) as Sent), status: response.status };
}
const send = (content: Fields, token?: string) =>
  post(`${fake.phoneNumberId}/messages`, { messaging_product: "whatsapp", to: ADA, ...content }, token);
const refused = (code: number) => ({ status: code === 190 ? 401 : 400, error: { code } });

const x = (count: number): string => "x".repeat(count);
const text = (body: string): Fields => ({ type: "text", text: { body } });
const interactive = (type: string, action: Fields, body = "Go?"): Fields => ({
  type: "interactive",
  interactive: { type, body: { text: body }, action },
});
const button = (title: string, id = title): Fields => ({ type: "reply", reply: { id, title } });
const buttons = (titles: readonly string[], body?: string) =>
  interactive("button", { buttons: titles.map((title) => button(title)) }, body);
const list = (rows: readonly Fields[]) => interactive("list", { button: "Choose", sections: [{ rows }] });
const several = (count: number) => Array.from({ length: count }, (_, place) => `o${place}`);
const flowJson = (label: string) =>
  JSON.stringify({
    version: "7.0",
    screens: [
      {
        id: "FORM",
        title: "Question",
        terminal: true,
        layout: {
          type: "SingleColumnLayout",
          children: [
            {
              type: "Form",
              name: "form",
              children: [
                { type: "TextInput", "input-type": "number", name: "field_0", label, required: true },
                { type: "OptIn", name: "field_1", label: "Agree" },
                {
                  type: "Footer",
                  label: "Send",
                  "on-click-action": {
                    name: "complete",
                    payload: { field_0: "${form.field_0}", field_1: "${form.field_1}" },
                  },
                },
              ],
            },
          ],
        },
      },
    ],
  });
const flow = (label = "Count") => ({
  name: `flow_${label}`,
  categories: ["OTHER"],
  flow_json: flowJson(label),
  publish: true,
});
const openFlow = (name: string): Fields =>
  interactive("flow", {
    name: "flow",
    parameters: {
      flow_message_version: "3",
      flow_token: "token-1",
      flow_name: name,
      flow_cta: "Fill in",
      flow_action: "navigate",
      flow_action_payload: { screen: "FORM" },
    },
  });

describe("the WhatsApp fake", () => {
  it.each<[string, number, (n: number) => Fields, code?: number]>([
    ["text", LIMITS.text.max, (n) => text(x(n))],
    [
      "caption",
      LIMITS.caption.max,
      (n) => ({ type: "image", image: { link: "https://a.example/1", caption: x(n) } }),
    ],
    ["text above buttons", LIMITS.body.max, (n) => buttons(["Yes"], x(n))],
    ["row of buttons", LIMITS.buttons.max, (n) => buttons(several(n))],
    ["title of a button", LIMITS.buttonTitle.max, (n) => buttons([x(n)])],
    ["id of a button", LIMITS.buttonId.max, (n) => interactive("button", { buttons: [button("a", x(n))] })],
    ["list", LIMITS.rows.max, (n) => list(several(n).map((title) => ({ id: title, title })))],
    ["title of a row", LIMITS.rowTitle.max, (n) => list([{ id: "a", title: x(n) }])],
    ["id of a row", LIMITS.rowId.max, (n) => list([{ id: x(n), title: "a" }])],
    [
      "description of a row",
      LIMITS.rowDescription.max,
      (n) => list([{ id: "a", title: "a", description: x(n) }]),
    ],
    [
      "title of a link",
      LIMITS.linkTitle.max,
      (n) =>
        interactive("cta_url", {
          name: "cta_url",
          parameters: { display_text: x(n), url: "https://a.example" },
        }),
    ],
  ])("takes the longest %s and refuses one more", async (_name, max, make) => {
    expect(await send(make(max))).toMatchObject({ status: 200 });
    expect(await send(make(max + 1))).toMatchObject(refused(131009));
  });

  it.each<[string, Fields, number]>([
    [
      "two buttons of one title",
      interactive("button", { buttons: [button("a", "1"), button("a", "2")] }),
      131009,
    ],
    ["an id with a space at its edge", interactive("button", { buttons: [button("a", " 1")] }), 131009],
    ["a misspelt field", { type: "text", text: { boby: "x" } }, 100],
    ["a message without its content", { type: "image" }, 131008],
    ["media of no address", { type: "image", image: {} }, 131009],
    ["a caption on audio", { type: "audio", audio: { link: "https://a.example/1", caption: "x" } }, 100],
    ["a number that is not on the list", { ...text("x"), to: "15550007777" }, 131030],
    ["a Flow that is not there", openFlow("flow_None"), 131009],
  ])("refuses %s", async (_name, content, code) => {
    const sent = await send(content);
    // A missing field is told before one too many.
    expect(sent).toMatchObject(code === 100 && sent.error?.code === 131008 ? refused(131008) : refused(code));
  });

  it("tells another's token, too much at once with status 400, and fails as told", async () => {
    expect(await send(text("x"), "wrong")).toMatchObject(refused(190));
    fake.limitRates({ perConversation: { count: 1, perMs: 6_000 } });
    expect(await send(text("1"))).toMatchObject({ status: 200 });
    expect(await send(text("2"))).toMatchObject(refused(131056));
    fake.limitRates({ overall: { count: 1, perMs: 1_000 } });
    await send(text("1"));
    expect(await send(text("2"))).toMatchObject(refused(130429));
    fake.limitRates({});
    fake.fault({ kind: "fail", status: 400, code: 80007 });
    expect(await send(text("3"))).toMatchObject(refused(80007));
    fake.fault({ kind: "fail", status: 503 });
    expect(await send(text("3"))).toMatchObject({ status: 503, error: { code: 131000 } });
    fake.fault({ kind: "drop", when: "after" });
    await expect(send(text("lost answer"))).rejects.toThrow();
    expect(fake.person.see().conversations[0]?.messages.at(-1)?.text).toBe("lost answer");
  });

  it("takes only a template once 24 hours have passed since the person wrote", async () => {
    const template = (parameter: string, name = "question") => ({
      type: "template",
      template: {
        name,
        language: { code: "en" },
        components: [{ type: "body", parameters: [{ type: "text", text: parameter }] }],
      },
    });
    fake.advanceClock(LIMITS.windowMs.max - 60_000);
    expect(await send(text("in time"))).toMatchObject({ status: 200 });
    fake.advanceClock(60_001);
    expect(await send(text("late"))).toMatchObject(refused(131047));
    expect(await send(template("Ship?"))).toMatchObject({ status: 200 });
    expect(await send(template("two\nlines"))).toMatchObject(refused(132018));
    expect(await send(template("Ship?", "other"))).toMatchObject({ status: 404, error: { code: 132001 } });
    await fake.person.type({ conversation: ADA, text: "I am here" });
    expect(await send(text("again"))).toMatchObject({ status: 200 });
  });

  it("can take what is outside the window, and refuse it by a status", async () => {
    const late = await startWhatsAppFake({ refusesLater: true });
    try {
      late.deliverTo(receiver.url);
      const body = JSON.stringify({ messaging_product: "whatsapp", to: ADA, ...text("late") });
      const headers = { authorization: `Bearer ${late.accessToken}`, "content-type": "application/json" };
      const url = `${late.apiUrl}/${late.phoneNumberId}/messages`;
      expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
      await late.webhooks.idle();
      expect(receiver.received[0]?.rawBody.toString()).toContain('"status":"failed"');
      expect(receiver.received[0]?.rawBody.toString()).toContain("131047");
    } finally {
      await late.stop();
    }
  });

  it("signs the bytes that it sends, which are not those that JSON.stringify would make", async () => {
    await fake.person.type({ conversation: ADA, text: "Grüße/…" });
    const got = receiver.received[0];
    const raw = got?.rawBody.toString() ?? "";
    expect(got?.header("x-hub-signature-256")).toBe(metaSignature(fake.appSecret, raw));
    expect(JSON.stringify(JSON.parse(raw))).not.toBe(raw);
    expect(JSON.parse(raw)).toMatchObject({
      entry: [{ changes: [{ value: { messages: [{ from: ADA, text: { body: "Grüße/…" } }] } }] }],
    });
  });

  it("asks for the challenge back", async () => {
    receiver.answerWith({ status: 200, body: "1158201444" });
    const { attempts } = await fake.handshake();
    expect(attempts[0]?.outcome).toMatchObject({ kind: "answered", body: "1158201444" });
    expect(Object.fromEntries(receiver.received[0]?.query ?? [])).toMatchObject({
      "hub.mode": "subscribe",
      "hub.verify_token": fake.verifyToken,
    });
  });

  it("tells a tap with the message that it answers, a quote with its own, and a status", async () => {
    await send(buttons(["Yes", "No"]));
    const asked = fake.person.see().conversations[0]?.messages.at(-1)?.id ?? "";
    await fake.person.tap({ conversation: ADA, message: asked, control: "No" });
    await fake.person.type({ conversation: ADA, text: "because", replyTo: asked });
    await fake.report(asked, "read");
    const values = receiver.received.map(({ rawBody }) => JSON.stringify(JSON.parse(rawBody.toString())));
    expect(values[0]).toContain('"button_reply":{"id":"No","title":"No"}');
    expect(values[1]).toContain(`"context":{"from":"15550009100","id":"${asked}"}`);
    expect(values[2]).toContain(`"statuses":[{"id":"${asked}","status":"read"`);
  });

  it("publishes a Flow once by its name, and keeps one with a fault as a draft", async () => {
    const path = `${fake.wabaId}/flows`;
    expect(await post(path, flow())).toMatchObject({ status: 200, success: true });
    expect(await post(path, flow())).toMatchObject(refused(100));
    expect(await post(path, flow(x(21)))).toMatchObject({ status: 200, success: false });
    expect(await send(openFlow(`flow_${x(21)}`))).toMatchObject(refused(131009));
  });

  it("shows a Flow's fields, keeps it open at a fault, and sends what was put in", async () => {
    await post(`${fake.wabaId}/flows`, flow());
    await send(openFlow("flow_Count"));
    const message = fake.person.see().conversations[0]?.messages.at(-1)?.id ?? "";
    await fake.person.tap({ conversation: ADA, message, control: "Fill in" });
    expect(fake.person.see().form?.fields.map(({ label }) => label)).toEqual(["Count", "Agree"]);
    const missing = await fake.person.submit({ form: message, values: {} });
    expect(missing.errors).toEqual({ field_0: "is needed" });
    await fake.person.submit({ form: message, values: { field_0: "3", field_1: "true" } });
    const told = JSON.stringify(JSON.parse(receiver.received.at(-1)?.rawBody.toString() ?? ""));
    expect(told).toContain(
      JSON.stringify(JSON.stringify({ field_0: "3", field_1: true, flow_token: "token-1" })),
    );
    expect(fake.person.see().form).toBeUndefined();
  });
});
