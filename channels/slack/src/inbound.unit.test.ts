import { createHmac } from "node:crypto";
import { submittedEntries } from "@interlude/channel-kit";
import { typeSubmission } from "@interlude/forms";
import { describe, expect, it } from "vitest";
import { createSlackChannel, readSlackConfig } from "./index.ts";
import { typedText } from "./typed-text.ts";

const SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
const setup = readSlackConfig({ SLACK_BOT_TOKEN: "xoxb-1", SLACK_SIGNING_SECRET: SECRET });
const channel = setup.state === "set" ? createSlackChannel(setup.config) : expect.fail(setup.state);

const delivery = (body: string, headers: Record<string, string> = {}, method = "POST") => ({
  method,
  url: "/api/channels/slack/webhook",
  headers: { get: (name: string) => headers[name.toLowerCase()] ?? null },
  rawBody: Buffer.from(body),
});
const parse = (body: object) => channel.parse(delivery(JSON.stringify(body)));
const event = (content: object) =>
  parse({
    type: "event_callback",
    event_id: "Ev1",
    event: {
      type: "message",
      channel: "C01",
      channel_type: "channel",
      user: "U01",
      ts: "1764669600.000200",
      ...content,
    },
  }).inbound;
const interaction = (payload: object) =>
  channel.parse(delivery(new URLSearchParams({ payload: JSON.stringify(payload) }).toString())).inbound;
const said = {
  kind: "message",
  updateId: "Ev1",
  address: "C01",
  from: "U01",
  messageId: "1764669600.000200",
};

describe("Slack's events", () => {
  it("are what people say, and the thread that they say it in", () => {
    expect(event({ text: " hi ", thread_ts: "1764669599.000100" })).toEqual([
      { ...said, isDirect: false, text: " hi ", replyTo: "1764669599.000100", atMs: 1_764_669_600_000 },
    ]);
    expect(event({ text: "hi", channel_type: "im" })).toMatchObject([{ isDirect: true }]);
    expect(event({ text: "hi", thread_ts: "1764669600.000200" })[0]).not.toHaveProperty("replyTo");
  });

  it.each(["thread_broadcast", "file_share"])("are people's with the subtype %s too", (subtype) => {
    expect(event({ text: "hi", subtype })).toMatchObject([{ kind: "message" }]);
  });

  it("have files", () => {
    const files = [{ id: "F1", mimetype: "image/png", url_private: "https://files.slack.com/1" }, {}];
    expect(event({ text: "", subtype: "file_share", files })).toEqual([
      {
        ...said,
        isDirect: false,
        atMs: 1_764_669_600_000,
        media: [
          { kind: "image", id: "F1", url: "https://files.slack.com/1", contentType: "image/png" },
          { kind: "file" },
        ],
      },
    ]);
  });

  it.each<[string, object]>([
    ["an edit", { subtype: "message_changed", message: { text: "yes" } }],
    ["a deletion", { subtype: "message_deleted" }],
    ["somebody who joined", { subtype: "channel_join", text: "joined" }],
    ["a bot", { bot_id: "B1", text: "yes" }],
    ["nobody", { user: undefined, text: "yes" }],
    ["a mention, which comes as a message as well", { type: "app_mention", text: "yes" }],
    ["a reaction", { type: "reaction_added" }],
  ])("never answer by %s", (_, content) => {
    expect(event(content)).toEqual([expect.objectContaining({ kind: "ignored", updateId: "Ev1" })]);
  });

  it.each(["{}", '{"type":"event_callback"}', "{", "", "x=1"])(
    "are ignored when they are none: %j",
    (body) => {
      expect(channel.parse(delivery(body)).inbound).toEqual([{ kind: "ignored", reason: "no event" }]);
    },
  );

  it("A-CHAT-6: give the challenge back as JSON, whatever it is", () => {
    expect(parse({ type: "url_verification", challenge: "<script>" })).toEqual({
      inbound: [],
      reply: { status: 200, body: '{"challenge":"<script>"}', contentType: "application/json" },
    });
    expect(parse({ type: "url_verification", challenge: "" }).reply).toBeUndefined();
  });

  it.each([
    ["see <http://x.com|x.com> and <https://y.com/a?b=1&amp;c=2>", "see x.com and https://y.com/a?b=1&c=2"],
    ["<mailto:a@b.com|a@b.com>, <tel:+1555|+1555>", "a@b.com, +1555"],
    ["<https://y.com|the plan>", "the plan (https://y.com)"],
    ["1 &lt; 2 &amp;&amp; 3 &gt; 2 &amp;lt;", "1 < 2 && 3 > 2 &lt;"],
    ["<@U01> <@U02|ada> <#C01|team> <!here> <!subteam^S1|@crew>", "<@U01> @ada #team @here @crew"],
    ["**bold** ~x~ _y_ `z`", "**bold** ~x~ _y_ `z`"],
  ])("A-CHAT-2: %j is what was typed as %j", (text, typed) => {
    expect(typedText(text)).toBe(typed);
    expect(event({ text })).toMatchObject([{ text: typed }]);
  });
});

const user = { id: "U01", name: "ada" };

describe("Slack's interactions", () => {
  const container = { type: "message", channel_id: "C01", message_ts: "1.5" };
  const click = (action: object, rest: object = {}) =>
    interaction({ type: "block_actions", user, container, trigger_id: "t1", actions: [action], ...rest });

  it.each([
    ["a button", { type: "button", action_id: "x", value: "ref:3", action_ts: "1764669600.5" }],
    ["a menu", { type: "static_select", selected_option: { value: "ref:3" }, action_ts: "1764669600.5" }],
  ])("are a tap on %s", (_, action) => {
    expect(click(action)).toEqual([
      {
        kind: "tap",
        isDirect: false,
        updateId: expect.stringMatching(/^[\w-]{43}$/) as string,
        address: "C01",
        from: "U01",
        messageId: "1.5",
        reference: "ref",
        choice: "3",
        acknowledge: { trigger_id: "t1" },
        atMs: 1_764_669_600_500,
      },
    ]);
  });

  it("are the same update when they are delivered again, and another for another tap", () => {
    const [first] = click({ value: "ref:3" });
    expect(click({ value: "ref:3" })[0]).toEqual(first);
    expect(click({ value: "ref:3" }, { trigger_id: "t2" })[0]).not.toEqual(first);
  });

  it.each<[string, object]>([
    ["a link button", { type: "button", action_id: "link" }],
    ["a foreign button", { value: "other" }],
    ["a menu without a choice", { selected_option: null }],
  ])("are ignored on %s", (_, action) => {
    expect(click(action)).toEqual([expect.objectContaining({ kind: "ignored" })]);
  });

  it("are ignored when they are of another kind", () => {
    expect(interaction({ type: "message_action", user })).toMatchObject([{ kind: "ignored" }]);
    const body = "payload=%7B";
    expect(channel.parse(delivery(body)).inbound).toMatchObject([{ kind: "ignored" }]);
  });
});

describe("a modal that is sent", () => {
  const view = (values: object, rest: object = {}) => ({
    type: "view_submission",
    user,
    view: { callback_id: "interlude_form", private_metadata: "ref C01", state: { values }, ...rest },
  });
  const schema = {
    type: "object",
    properties: {
      note: { type: "string", minLength: 3 },
      region: { type: "string", enum: ["eu", "us"] },
      n: { type: "integer" },
      agree: { type: "boolean" },
      day: { type: "string", format: "date" },
    },
  };
  const answerOf = (values: object) => {
    const [sent] = interaction(view(values));
    if (sent?.kind !== "submission") return expect.fail(sent?.kind);
    return typeSubmission({ schema }, submittedEntries({ schema }, sent.fields));
  };
  const input = (type: string, value: object) => ({ value: { type, ...value } });

  it("brings what was put in, to be typed as on a page", () => {
    const values = {
      field_0: input("plain_text_input", { value: "**bold** ~x~" }),
      field_1: input("static_select", { selected_option: { value: "1" } }),
      field_2: input("number_input", { value: "3" }),
      field_3: input("checkboxes", { selected_options: [{ value: "true" }] }),
      field_4: input("datepicker", { selected_date: "2026-12-24" }),
    };
    expect(interaction(view(values))).toMatchObject([
      { kind: "submission", address: "C01", from: "U01", reference: "ref" },
    ]);
    expect(answerOf(values)).toEqual({
      ok: true,
      answer: { note: "**bold** ~x~", region: "us", n: 3, agree: true, day: "2026-12-24" },
    });
  });

  it("A-CHAT-7: leaves out what was not touched, but for a box, which is then not ticked", () => {
    const values = {
      field_0: input("plain_text_input", { value: null }),
      field_1: input("static_select", { selected_option: null }),
      field_2: input("number_input", { value: null }),
      field_3: input("checkboxes", { selected_options: [] }),
      field_4: input("datepicker", { selected_date: null }),
    };
    expect(answerOf(values)).toEqual({ ok: true, answer: { agree: false } });
  });

  it("is refused by the schema's own rules", () => {
    expect(answerOf({ field_0: input("plain_text_input", { value: "x" }) })).toMatchObject({
      ok: false,
      faults: [{ path: "/note" }],
    });
    expect(answerOf({ field_2: input("number_input", { value: "1,5" }) })).toMatchObject({ ok: false });
    expect(answerOf({ field_9: input("plain_text_input", { value: "x" }) })).toMatchObject({ ok: false });
  });

  it("is ignored when it is not one of ours", () => {
    expect(interaction(view({}, { callback_id: "other" }))).toMatchObject([{ kind: "ignored" }]);
    expect(interaction(view({}, { private_metadata: "" }))).toMatchObject([{ kind: "ignored" }]);
  });
});

describe("Slack's signature", () => {
  const body = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&payload=%7B**bold**+~x~%7D";
  const at = 1_531_420_618;
  const sign = (text: string, time: number | string) =>
    `v0=${createHmac("sha256", SECRET).update(`v0:${time}:${text}`).digest("hex")}`;
  const verify = (signature: string, time: number | string, nowMs = at * 1_000, method = "POST") =>
    channel.verify(
      delivery(body, { "x-slack-signature": signature, "x-slack-request-timestamp": String(time) }, method),
      nowMs,
    ).ok;

  it("A-CHAT-2: holds over the bytes as they came", () => {
    expect(verify(sign(body, at), at)).toBe(true);
    expect(verify(sign(new URLSearchParams(body).toString(), at), at)).toBe(false);
  });

  it.each([
    [at, 299, true],
    [at, -299, true],
    [at, 301, false],
    [at, -301, false],
  ])("A-SIG-3: of %i holds %i s later: %s", (time, seconds, ok) => {
    expect(verify(sign(body, time), time, (at + seconds) * 1_000)).toBe(ok);
  });

  it("is never good without all of it", () => {
    expect(verify("", at)).toBe(false);
    expect(verify(sign(body, at).slice(0, -1), at)).toBe(false);
    expect(verify(sign(body, "abc"), "abc")).toBe(false);
    expect(verify(sign(body, at), at, at * 1_000, "GET")).toBe(false);
  });
});
