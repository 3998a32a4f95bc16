import { createHmac } from "node:crypto";
import { submittedEntries } from "@interlude/channel-kit";
import { typeSubmission } from "@interlude/forms";
import { describe, expect, it } from "vitest";
import { createWhatsAppChannel, readWhatsAppConfig } from "./index.ts";

const setup = readWhatsAppConfig({
  WHATSAPP_ACCESS_TOKEN: "EAAtoken",
  WHATSAPP_APP_SECRET: "app-secret",
  WHATSAPP_PHONE_NUMBER_ID: "9",
  WHATSAPP_VERIFY_TOKEN: "verify-me",
});
const channel = setup.state === "set" ? createWhatsAppChannel(setup.config) : expect.fail(setup.state);

const delivery = (body: string, signature: string | null = null, url = "/api/channels/whatsapp/webhook") => ({
  method: "POST",
  url,
  headers: { get: (name: string) => (name.toLowerCase() === "x-hub-signature-256" ? signature : null) },
  rawBody: Buffer.from(body),
});
const value = (content: object, phoneNumberId = "9") => ({
  field: "messages",
  value: { messaging_product: "whatsapp", metadata: { phone_number_id: phoneNumberId }, ...content },
});
const parse = (...changes: object[]) =>
  channel.parse(
    delivery(JSON.stringify({ object: "whatsapp_business_account", entry: [{ id: "1", changes }] })),
  ).inbound;
const person = { from: "15550002222", id: "wamid.1", timestamp: "1764669600" };
const seen = { updateId: "wamid.1", address: "15550002222", from: "15550002222", atMs: 1_764_669_600_000 };
const fromPerson = (message: object) => parse(value({ messages: [{ ...person, ...message }] }));

describe("what WhatsApp delivers", () => {
  it("is a text, and what it quotes", () => {
    expect(fromPerson({ type: "text", text: { body: " hi\n" }, context: { id: "wamid.0" } })).toEqual([
      { kind: "message", ...seen, messageId: "wamid.1", isDirect: true, text: " hi\n", replyTo: "wamid.0" },
    ]);
  });

  it.each(["button_reply", "list_reply"])("is a tap by %s", (type) => {
    const interactive = { type, [type]: { id: "0198c1d2-0000:7", title: "Choice" } };
    expect(fromPerson({ type: "interactive", interactive, context: { id: "wamid.0" } })).toEqual([
      { kind: "tap", ...seen, messageId: "wamid.0", reference: "0198c1d2-0000", choice: "7" },
    ]);
  });

  it("is a message with the words of a button that is not ours", () => {
    const interactive = { type: "button_reply", button_reply: { id: "other app", title: "Menu" } };
    expect(fromPerson({ type: "interactive", interactive })).toMatchObject([
      { kind: "message", text: "Menu", params: { reply_id: "other app" } },
    ]);
    expect(fromPerson({ type: "button", button: { text: "Start", payload: "x" } })).toMatchObject([
      { kind: "message", text: "Start", params: { payload: "x" } },
    ]);
  });

  it.each<[unknown, object | undefined]>([
    [
      { source_type: "ad", source_url: "https://fb.me/1", headline: "", body: 7 },
      { referral_source_type: "ad", referral_source_url: "https://fb.me/1" },
    ],
    [{ body: "x".repeat(513) }, undefined],
    ["broken", undefined],
  ])("says what led the person here, as far as it is text: %j", (referral, params) => {
    const [inbound] = fromPerson({ type: "text", text: { body: "hi" }, referral });
    expect(inbound).toMatchObject({ kind: "message", text: "hi" });
    expect(inbound?.kind === "message" ? inbound.params : inbound).toEqual(params);
  });

  it("is media with its caption, and a message without text for anything else", () => {
    const image = { id: "m1", mime_type: "image/jpeg", caption: "look" };
    expect(fromPerson({ type: "image", image })).toMatchObject([
      { kind: "message", text: "look", media: [{ kind: "image", id: "m1", contentType: "image/jpeg" }] },
    ]);
    expect(fromPerson({ type: "location", location: {} })).toMatchObject([{ media: [{ kind: "location" }] }]);
  });

  const submitted = (response: unknown) => {
    const nfm_reply = {
      name: "flow",
      body: "Sent",
      response_json: typeof response === "string" ? response : JSON.stringify(response),
    };
    return fromPerson({ type: "interactive", interactive: { type: "nfm_reply", nfm_reply } });
  };

  it("is a form that was filled in, to be typed as on a page", () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string", maxLength: 40 },
        region: { type: "string", enum: ["eu", "us"] },
        count: { type: "integer" },
        agree: { type: "boolean" },
      },
    };
    const response = {
      flow_token: "ref:form",
      field_0: "Ada",
      choice_1: "1",
      field_2: "3",
      field_3: true,
      other: "x",
    };
    const [inbound] = submitted(response);
    expect(inbound).toMatchObject({ kind: "submission", ...seen, reference: "ref" });
    const fields = inbound?.kind === "submission" ? inbound.fields : [];
    expect(typeSubmission({ schema }, submittedEntries({ schema }, fields))).toEqual({
      ok: true,
      answer: { name: "Ada", region: "us", count: 3, agree: true },
    });
    const untouched = submitted({ flow_token: "ref:form", field_0: "", choice_1: null })[0];
    expect(untouched).toMatchObject({ kind: "submission", fields: [] });
  });

  it.each([{ flow_token: "unused" }, { flow_token: "ref:1" }, {}, "[]", "{"])(
    "is only a message when the form is somebody else's: %j",
    (response) => {
      expect(submitted(response)).toMatchObject([{ kind: "message" }]);
    },
  );

  it.each(["reaction", "system", "unsupported"])("ignores a %s", (type) => {
    expect(fromPerson({ type })).toEqual([{ kind: "ignored", updateId: "wamid.1", reason: `a ${type}` }]);
  });

  it("A-TEL-4: is a status, with its code when it failed", () => {
    const status = (status: string, rest = {}) =>
      parse(value({ statuses: [{ id: "wamid.A", status, timestamp: "1", recipient_id: "1", ...rest }] }))[0];
    expect(status("read")).toEqual({
      kind: "status",
      updateId: "wamid.A:read",
      messageId: "wamid.A",
      status: "read",
      atMs: 1_000,
    });
    expect(status("failed", { errors: [{ code: 131_026, title: "x" }] })).toMatchObject({
      status: "failed",
      code: "131026",
    });
    expect(status("failed", { errors: [{ code: 131_047 }] })).toMatchObject({ needsOpener: true });
    expect(status("deleted")).toMatchObject({ kind: "ignored" });
  });

  it("A-TEL-7: is everything in a batch, whatever else cannot be read", () => {
    const texts = (...ids: string[]) =>
      ids.map((id) => ({ ...person, id, type: "text", text: { body: id } }));
    const inbound = parse(
      value({ messages: [...texts("a", "b"), "broken", null] }),
      { field: "account_update", value: {} },
      value({ messages: texts("c", "d"), statuses: [{ id: 5 }] }),
    );
    expect(inbound.flatMap((each) => (each.kind === "message" ? [each.text] : []))).toEqual([
      "a",
      "b",
      "c",
      "d",
    ]);
    expect(inbound.filter(({ kind }) => kind === "ignored")).toHaveLength(4);
  });

  it("is nothing when it is for another number of the same app", () => {
    const messages = [{ ...person, type: "text", text: { body: "hi" } }];
    expect(parse(value({ messages }, "10"))).toEqual([{ kind: "ignored", reason: "for another number" }]);
  });
});

describe("Meta's signature", () => {
  const body = '{"note":"\\u00e4"}';
  const sign = (text: string, secret = "app-secret") =>
    `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;

  it("holds over the bytes as they came, in either case", () => {
    expect(channel.verify(delivery(body, sign(body)), 0)).toEqual({ ok: true });
    expect(channel.verify(delivery(body, `sha256=${sign(body).slice(7).toUpperCase()}`), 0)).toEqual({
      ok: true,
    });
    expect(channel.verify(delivery(JSON.stringify(JSON.parse(body)), sign(body)), 0)).toEqual({ ok: false });
  });

  it.each([sign(body, "other"), sign(body).slice(0, -1), "", null])("A-SIG-2: %j is refused", (signature) => {
    expect(channel.verify(delivery(body, signature), 0)).toEqual({ ok: false });
  });
});

describe("Meta's handshake", () => {
  const handshake = (query: string, method = "GET") => {
    const asked = { ...delivery("", null, `/api/channels/whatsapp/webhook?${query}`), method };
    return { ...channel.verify(asked, 0), ...channel.parse(asked) };
  };

  it("gives the challenge back to who knows the token", () => {
    expect(handshake("hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=verify-me")).toEqual({
      ok: true,
      inbound: [],
      reply: { status: 200, body: "1158201444", contentType: "text/plain" },
    });
  });

  it.each([
    "hub.mode=subscribe&hub.verify_token=guess",
    "hub.verify_token=verify-me",
    "hub.mode=subscribe",
    "",
  ])("is refused to everybody else: %s", (query) => {
    expect(handshake(query).ok).toBe(false);
    expect(handshake(query, "PUT").ok).toBe(false);
  });

  it("gives back nothing that could be more than a challenge", () => {
    const query = "hub.mode=subscribe&hub.verify_token=verify-me&hub.challenge=%3Cscript%3E";
    expect(handshake(query).reply).toEqual({ status: 400, body: "", contentType: "text/plain" });
  });
});
