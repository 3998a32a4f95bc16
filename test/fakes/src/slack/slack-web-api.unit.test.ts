import { WebClient } from "@slack/web-api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../core/receiver.ts";
import { SLACK_LIMITS as LIMITS } from "./limits.ts";
import { slackSignature } from "./sign.ts";
import { type SlackFake, startSlackFake } from "./start-slack-fake.ts";

let fake: SlackFake;
let receiver: Receiver;
let client: WebClient;
beforeEach(async () => {
  [fake, receiver] = await Promise.all([startSlackFake(), startReceiver()]);
  const options = { slackApiUrl: fake.apiUrl, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true };
  client = new WebClient(fake.botToken, options);
});
afterEach(async () => {
  await Promise.all([fake.stop(), receiver.stop()]);
});

const x = (count: number): string => "x".repeat(count);
const many = <T>(count: number, make: (place: number) => T): T[] =>
  Array.from({ length: count }, (_, place) => make(place));
const plain = (text: string) => ({ type: "plain_text", text });
const button = (rest: object = {}) => ({ type: "button", text: plain("Yes"), ...rest });
const actions = (...elements: object[]) => ({ type: "actions", elements });
const input = (element: object, rest: object = {}) => ({
  type: "input",
  block_id: "note",
  label: plain("Note"),
  element,
  ...rest,
});
const option = (place: number) => ({ text: plain("a"), value: String(place) });
const select = (count: number) => ({ type: "static_select", options: many(count, option) });
const modal = (rest: object = {}) => ({
  type: "modal",
  title: plain("Form"),
  submit: plain("Send"),
  blocks: [input({ type: "plain_text_input" })],
  ...rest,
});

async function call(method: string, fields: Record<string, unknown>): Promise<string> {
  const failed = await client.apiCall(method, fields).then(
    () => "ok",
    (error: unknown) => (error as { data?: { error?: string } }).data?.error ?? String(error),
  );
  return failed;
}
const post = (...blocks: object[]): Promise<string> =>
  call("chat.postMessage", { channel: "C0OPS", text: "a", blocks });

async function trigger(): Promise<string> {
  fake.deliverTo(`${receiver.url}/hook`);
  const sent = await client.chat.postMessage({
    channel: "C0OPS",
    text: "a",
    blocks: [actions(button())],
  });
  await fake.person.tap({ conversation: "C0OPS", message: sent.ts ?? "", control: "Yes" });
  return (payload() as { trigger_id: string }).trigger_id;
}
function payload(): unknown {
  const body = new URLSearchParams(receiver.received.at(-1)?.rawBody.toString());
  return JSON.parse(body.get("payload") ?? "null");
}

describe("Slack's limits", () => {
  it.each<[string, number, (n: number) => object[]]>([
    ["blocks of a message", LIMITS.messageBlocks.max, (n) => many(n, () => ({ type: "divider" }))],
    ["section text", LIMITS.sectionText.max, (n) => [{ type: "section", text: plain(x(n)) }]],
    [
      "section fields",
      LIMITS.sectionFields.max,
      (n) => [{ type: "section", fields: many(n, () => plain("a")) }],
    ],
    ["section field", LIMITS.sectionField.max, (n) => [{ type: "section", fields: [plain(x(n))] }]],
    ["header", LIMITS.headerText.max, (n) => [{ type: "header", text: plain(x(n)) }]],
    ["markdown", LIMITS.markdownText.max, (n) => [{ type: "markdown", text: x(n) }]],
    ["actions", LIMITS.actionsElements.max, (n) => [actions(...many(n, () => button()))]],
    [
      "context elements",
      LIMITS.contextElements.max,
      (n) => [{ type: "context", elements: many(n, () => plain("a")) }],
    ],
    ["image address", LIMITS.imageUrl.max, (n) => [{ type: "image", image_url: x(n), alt_text: "a" }]],
    ["image text", LIMITS.imageAltText.max, (n) => [{ type: "image", image_url: "a", alt_text: x(n) }]],
    ["block id", LIMITS.blockId.max, (n) => [{ type: "divider", block_id: x(n) }]],
    ["action id", LIMITS.actionId.max, (n) => [actions(button({ action_id: x(n) }))]],
    ["button text", LIMITS.buttonText.max, (n) => [actions(button({ text: plain(x(n)) }))]],
    ["button value", LIMITS.buttonValue.max, (n) => [actions(button({ value: x(n) }))]],
    ["button address", LIMITS.buttonUrl.max, (n) => [actions(button({ url: x(n) }))]],
    ["select options", LIMITS.selectOptions.max, (n) => [actions(select(n))]],
    [
      "radio options",
      LIMITS.radioOptions.max,
      (n) => [actions({ type: "radio_buttons", options: many(n, option) })],
    ],
    [
      "option text",
      LIMITS.optionText.max,
      (n) => [actions({ type: "static_select", options: [{ text: plain(x(n)), value: "a" }] })],
    ],
    [
      "option value",
      LIMITS.optionValue.max,
      (n) => [actions({ type: "static_select", options: [{ text: plain("a"), value: x(n) }] })],
    ],
    ["placeholder", LIMITS.placeholder.max, (n) => [actions({ ...select(1), placeholder: plain(x(n)) })]],
    [
      "input label",
      LIMITS.inputLabel.max,
      (n) => [input({ type: "plain_text_input" }, { label: plain(x(n)) })],
    ],
    ["input hint", LIMITS.inputHint.max, (n) => [input({ type: "plain_text_input" }, { hint: plain(x(n)) })]],
    [
      "length of an input",
      LIMITS.inputMaxLength.max,
      (n) => [input({ type: "plain_text_input", max_length: n })],
    ],
  ])("takes the longest %s and refuses one more", async (_name, max, make) => {
    expect(await post(...make(max))).toBe("ok");
    expect(await post(...make(max + 1))).toBe("invalid_blocks");
  });

  it.each<[string, number, (n: number) => object]>([
    ["blocks", LIMITS.modalBlocks.max, (n) => ({ blocks: many(n, () => ({ type: "divider" })) })],
    ["title", LIMITS.modalTitle.max, (n) => ({ title: plain(x(n)) })],
    ["button", LIMITS.modalButton.max, (n) => ({ submit: plain(x(n)) })],
    ["private metadata", LIMITS.privateMetadata.max, (n) => ({ private_metadata: x(n) })],
    ["callback id", LIMITS.callbackId.max, (n) => ({ callback_id: x(n) })],
  ])("takes a modal's longest %s and refuses one more", async (_name, max, make) => {
    const open = async (n: number) =>
      call("views.open", { trigger_id: await trigger(), view: modal(make(n)) });
    expect(await open(max)).toBe("ok");
    expect(await open(max + 1)).toBe("invalid_arguments");
  });

  it("budgets the text, the text of an update in escaped bytes, and all blocks together", async () => {
    const send = (n: number) => call("chat.postMessage", { channel: "C0OPS", text: x(n) });
    expect(await send(LIMITS.text.max)).toBe("ok");
    expect(await send(LIMITS.text.max + 1)).toBe("msg_too_long");
    const sent = await client.chat.postMessage({ channel: "C0OPS", text: "a" });
    const update = (text: string) => call("chat.update", { channel: "C0OPS", ts: sent.ts, text });
    expect(await update(x(LIMITS.updatedTextBytes.max - 5) + "&")).toBe("ok");
    expect(await update(x(LIMITS.updatedTextBytes.max - 4) + "&")).toBe("msg_too_long");
    const sections = many(5, () => ({ type: "section", text: plain(x(2900)) }));
    expect(await post(...sections)).toBe("msg_blocks_too_long");
    expect(await post(...sections.slice(1))).toBe("ok");
  });

  it.each<[string, string, Record<string, unknown>, string]>([
    ["an unknown channel", "chat.postMessage", { channel: "C9", text: "a" }, "channel_not_found"],
    ["nothing to say", "chat.postMessage", { channel: "C0OPS" }, "no_text"],
    ["a misspelt field", "chat.postMessage", { channel: "C0OPS", txet: "a" }, "invalid_arguments"],
    [
      "a misspelt block field",
      "chat.postMessage",
      { channel: "C0OPS", blocks: [{ type: "divider", x: 1 }] },
      "invalid_blocks",
    ],
    [
      "blocks that are no list",
      "chat.postMessage",
      { channel: "C0OPS", blocks: "{" },
      "invalid_blocks_format",
    ],
    [
      "a repeated block id",
      "chat.postMessage",
      { channel: "C0OPS", blocks: many(2, () => ({ type: "divider", block_id: "a" })) },
      "invalid_blocks",
    ],
    [
      "an unknown thread",
      "chat.postMessage",
      { channel: "C0OPS", text: "a", thread_ts: "1.2" },
      "thread_not_found",
    ],
    ["an update of nothing", "chat.update", { channel: "C0OPS", ts: "1.2", text: "a" }, "message_not_found"],
    ["a made-up trigger", "views.open", { trigger_id: "1.2", view: modal() }, "invalid_trigger_id"],
    ["an unknown method", "chat.post", {}, "unknown_method"],
  ])("refuses %s", async (_name, method, fields, error) => {
    expect(await call(method, fields)).toBe(error);
  });

  it("opens one modal for a trigger, within three seconds", async () => {
    const used = await trigger();
    expect(await call("views.open", { trigger_id: used, view: modal() })).toBe("ok");
    expect(await call("views.open", { trigger_id: used, view: modal() })).toBe("exchanged_trigger_id");
    expect(await call("views.push", { trigger_id: await trigger(), view: modal() })).toBe("ok");
    expect(await call("views.push", { trigger_id: await trigger(), view: modal() })).toBe("ok");
    expect(await call("views.push", { trigger_id: await trigger(), view: modal() })).toBe(
      "push_limit_reached",
    );
    const late = await trigger();
    fake.advanceClock(LIMITS.triggerLifeMs.max + 1);
    expect(await call("views.open", { trigger_id: late, view: modal() })).toBe("expired_trigger_id");
    const without = { ...modal(), submit: undefined };
    expect(await call("views.open", { trigger_id: await trigger(), view: without })).toBe(
      "invalid_arguments",
    );
  });
});

describe("the Slack fake, driven by @slack/web-api", () => {
  it("signs as Slack's published example", () => {
    const body =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    const published = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
    expect(slackSignature("8f742231b10e8888abcd99yyyzzz85a5", 1531420618, body)).toBe(published);
  });

  it("takes a form through tap, modal, refusal at the field, and submission", async () => {
    await client.views.open({ trigger_id: await trigger(), view: modal() as never });
    expect(receiver.received.at(-1)?.header("x-slack-signature")).toMatch(/^v0=[0-9a-f]{64}$/);
    const form = fake.person.see().form?.id ?? "";
    receiver.answerWith({ status: 200, body: { response_action: "errors", errors: { note: "Too short" } } });
    expect(await fake.person.submit({ form, values: { Note: "a" } })).toMatchObject({
      errors: { note: "Too short" },
    });
    expect(payload()).toMatchObject({
      type: "view_submission",
      view: { state: { values: { note: { a: { value: "a" } } } } },
    });
    receiver.answerWith({ status: 200 });
    await fake.person.submit({ form, values: { note: "abc" } });
    expect(fake.person.see().form).toBeUndefined();
  });

  it("shows another view in place of a modal or over it, three at most, and nothing that Slack would not take", async () => {
    const back = {
      type: "actions",
      block_id: "steps",
      elements: [button({ action_id: "back", value: "b" })],
    };
    const answer = (body: Readonly<Record<string, unknown>>) => {
      receiver.answerWith({ status: 200, body });
    };
    const send = () => fake.person.submit({ form: fake.person.see().form?.id ?? "", values: { Note: "a" } });
    const texts = () => fake.person.see().form?.texts;
    const named = (name: string) =>
      modal({ blocks: [{ type: "header", text: plain(name) }, input({ type: "plain_text_input" }), back] });
    await client.views.open({ trigger_id: await trigger(), view: modal() as never });
    answer({ response_action: "update", view: named("Two") });
    await send();
    expect(texts()).toEqual(["Two"]);
    for (const [reply, said] of [
      [{ response_action: "update", view: modal({ title: plain(x(25)) }) }, "less than 25 characters"],
      [{ response_action: "errors", errors: { other: "no" } }, "no input block other"],
      [{ response_action: "leave" }, "leave is unknown"],
    ] as const) {
      answer(reply);
      expect((await send()).shown).toContain(said);
      expect(texts()).toEqual(["Two"]);
    }
    receiver.answerWith({ status: 200 });
    const { id: form = "" } = fake.person.see().form ?? {};
    await fake.person.press({ form, button: "Yes", values: { note: "half" } });
    expect(payload()).toMatchObject({
      ...{ type: "block_actions", container: { type: "view", view_id: form } },
      view: { id: form, state: { values: { note: { a: { value: "half" } } } } },
      actions: [{ action_id: "back" }],
    });
    for (const name of ["Three", "Four"]) {
      answer({ response_action: "push", view: named(name) });
      await send();
      expect(texts()).toEqual([name]);
    }
    expect((await send()).shown).toContain("push_limit_reached");
    answer({ response_action: "clear" });
    await send();
    expect(fake.person.see().form).toBeUndefined();
    receiver.answerWith({ status: 200 });
  });

  it("delivers what is typed in a thread with Slack's marks, and again with the number of the retry", async () => {
    fake.deliverTo(`${receiver.url}/hook`);
    const sent = await client.chat.postMessage({ channel: "U0ADA", text: "Which?" });
    await fake.person.type({
      conversation: "D0ADA",
      text: "a < b https://a.example/",
      replyTo: sent.ts ?? "",
    });
    await fake.webhooks.redeliver();
    const [first, second] = receiver.received;
    expect(JSON.parse(first?.rawBody.toString() ?? "")).toMatchObject({
      event: {
        text: "a &lt; b <https://a.example/>",
        thread_ts: sent.ts,
        channel: "D0ADA",
        channel_type: "im",
      },
    });
    expect(second?.rawBody).toEqual(first?.rawBody);
    expect(second?.header("x-slack-retry-num")).toBe("1");
  });

  it("refuses a wrong token, limits rates with Retry-After, and loses an answer after having sent", async () => {
    const stranger = new WebClient("xoxb-wrong", { slackApiUrl: fake.apiUrl, retryConfig: { retries: 0 } });
    await expect(stranger.auth.test()).rejects.toMatchObject({ data: { error: "invalid_auth" } });
    fake.limitRates({ perConversation: { count: 1, perMs: 5000 } });
    await client.chat.postMessage({ channel: "C0OPS", text: "a" });
    await expect(client.chat.postMessage({ channel: "C0OPS", text: "b" })).rejects.toMatchObject({
      retryAfter: 5,
    });
    fake.fault({ kind: "drop", when: "after" });
    await expect(client.chat.postMessage({ channel: "D0BO", text: "c" })).rejects.toThrow();
    expect(fake.requests.at(-1)).toMatchObject({ operation: "chat.postMessage", wasCarriedOut: true });
  });
});
