import type { InboundTap, OutgoingQuestion } from "@interlude/channel-kit";
import { channelContract, goldenNotifications, goldenQuestions } from "@interlude/channel-kit/testing";
import type { JsonObject } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { createSlackChannel, readSlackConfig } from "./index.ts";
import { LIMITS } from "./limits.ts";

const ENVIRONMENT = { SLACK_BOT_TOKEN: "xoxb-1", SLACK_SIGNING_SECRET: "sign" };
const make = (environment: Record<string, string> = {}) => {
  const setup = readSlackConfig({ ...ENVIRONMENT, ...environment });
  if (setup.state !== "set") return expect.fail(setup.state);
  return createSlackChannel(setup.config);
};
const channel = make();
const team = "C0123456789";
const person = "U0123456789";
const golden = (value: unknown, name: string) =>
  expect(`${JSON.stringify(value, undefined, 2)}\n`).toMatchFileSnapshot(`../golden/${name}.json`);

/** Every text of blocks that a person reads, in order. */
function readable(value: unknown): string {
  if (Array.isArray(value)) return value.map(readable).join("\n");
  if (typeof value !== "object" || value === null) return "";
  const entries: [string, unknown][] = Object.entries(value);
  return entries
    .map(([key, inner]) => (key === "text" && typeof inner === "string" ? inner : readable(inner)))
    .join("\n");
}

channelContract("slack", {
  make,
  recipient: team,
  readable: (_, body) => ("blocks" in body ? readable(body.blocks) : ""),
});

const base = {
  question: "q",
  reference: "ref",
  recipient: person,
  pageUrl: "https://ask.example/x",
  deadlineMs: 0,
};
const labels = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => `o${index}`.padEnd(length, "x"));
const blocksOf = (body: JsonObject | undefined) => (body?.["blocks"] ?? []) as JsonObject[];
const tap: InboundTap = {
  kind: "tap",
  updateId: "1",
  address: team,
  from: person,
  messageId: "1.0",
  reference: "ref",
  choice: "form",
  acknowledge: { trigger_id: "t1" },
};

describe("a question on Slack", () => {
  it.each(goldenQuestions(team))("is the one of the golden file for %s", async (name, question) => {
    await golden(channel.render(question), name);
  });

  it.each(goldenQuestions(person).filter(([name]) => ["text", "select-of-numbers"].includes(name)))(
    "in a direct message is the one of the golden file for %s",
    async (name, question) => {
      await golden(channel.render(question), `direct-${name}`);
    },
  );

  it.each(goldenNotifications(team))("tells the golden %s", async (name, notification) => {
    await golden(channel.renderNotification(notification), name);
  });

  it.each<[number, number, string, string]>([
    [1, 4, "buttons", "buttons"],
    [5, 75, "buttons", "buttons"],
    [5, 76, "numbered", "text"],
    [6, 75, "select", "buttons"],
    [25, 75, "select", "buttons"],
    [26, 75, "select", "text"],
    [100, 75, "select", "text"],
    [101, 4, "numbered", "text"],
    [100, 76, "numbered", "text"],
  ])(
    "A-OUT-3: with %i options of %i characters is %s, and with suggested replies %s",
    (count, length, shape, suggested) => {
      const options = labels(count, length);
      expect(channel.render({ ...base, format: "select", options })).toMatchObject({ shape });
      expect(channel.render({ ...base, format: "text", options })).toMatchObject({ shape: suggested });
    },
  );

  it.each(["confirm", "text"] as const)("of 8192 characters keeps every limit of Slack's as %s", (format) => {
    const { requests } = channel.render({ ...base, format, question: "😀".repeat(8192) });
    for (const { body } of requests) {
      const blocks = blocksOf(body);
      expect(blocks.length).toBeLessThanOrEqual(LIMITS.BLOCKS_MAX_ITEMS);
      const texts = blocks.map((block) => readable(block).trim());
      expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(LIMITS.SECTION_MAX_CHARS);
      expect(texts.join("").length).toBeLessThanOrEqual(LIMITS.BLOCKS_TOTAL_MAX_CHARS);
      expect(JSON.stringify(body["text"]).length).toBeLessThan(4_000);
    }
    expect(requests).toHaveLength(2);
  });

  it("takes fifty media items in as few messages as Slack's blocks allow", () => {
    const media = Array.from({ length: 50 }, (_, i) => ({
      kind: "link" as const,
      url: `https://a.example/${i}`,
    }));
    const { requests } = channel.render({ ...base, format: "confirm", media });
    expect(requests.map(({ body }) => blocksOf(body).length)).toEqual([50, 2]);
  });

  it("has pictures that Slack cannot fetch as links", () => {
    const media = [{ kind: "image" as const, url: "http://127.0.0.1:8787/api/interactions/media/x" }];
    const [first] = blocksOf(channel.render({ ...base, format: "confirm", media }).requests[0]?.body);
    expect(first).toMatchObject({ type: "section", accessory: { url: media[0]?.url } });
  });

  it("never lets a question be read as markup, not even in a notification", () => {
    const body = channel.render({ ...base, format: "confirm", question: "<!channel> & *b*" }).requests[0]
      ?.body;
    expect(body?.["text"]).toContain("&lt;!channel&gt; &amp; *b*");
    expect(blocksOf(body)[0]).toEqual({
      type: "section",
      text: { type: "plain_text", text: "<!channel> & *b*", emoji: false },
    });
  });

  it("is refused when asked where it would not arrive whole", () => {
    const url = `https://a.example/${"x".repeat(3_000)}`;
    const paths = (content: object) =>
      channel
        .check({ format: "confirm", question: "q", recipient: team, ...content })
        .map((fault) => fault.path);
    expect(paths({ media: [{ kind: "image", url }] })).toEqual(["/media/0/url"]);
    expect(paths({ format: "external", linkUrl: url })).toEqual(["/link"]);
    expect(paths({ recipient: "#general" })).toEqual([]);
    expect(paths({ recipient: "general" })).toEqual(["/recipient"]);
    expect(
      channel.checkNotification({ message: "m", recipient: "x y", media: [{ kind: "link", url }] }),
    ).toHaveLength(2);
  });
});

describe("a form on Slack", () => {
  const form = (properties: JsonObject, rest: object = {}): OutgoingQuestion => ({
    ...base,
    format: "form",
    schema: { type: "object", properties },
    ...rest,
  });
  const shape = (question: OutgoingQuestion) => channel.render(question).shape;

  it("is a modal, opened by a tap, with everything that the ask brings", async () => {
    const [, question] = goldenQuestions(team).find(([name]) => name === "form") ?? [];
    if (question === undefined) return expect.fail("no form");
    await golden(channel.renderForm?.(question, tap), "modal");
  });

  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: "string" }]));

  it.each<[string, OutgoingQuestion, string]>([
    ["99 fields and the question", form(many(99)), "modal"],
    ["100 fields and the question", form(many(100)), "page"],
    ["100 choices", form({ p: { type: "string", enum: labels(100, 75) } }), "modal"],
    ["101 choices", form({ p: { type: "string", enum: labels(101, 75) } }), "page"],
    ["a choice of 76 characters", form({ p: { type: "string", enum: labels(1, 76) } }), "page"],
    ["a choice of nothing", form({ p: { type: "string", enum: ["", "a"] } }), "page"],
    ["a name of 300 characters", form({ ["n".repeat(300)]: { type: "string" } }), "modal"],
    ["a label of 2001 characters", form({ p: { type: "string", title: "t".repeat(2_001) } }), "page"],
    [
      "a long prefill",
      form({ p: { type: "string" } }, { data: { values: { p: "x".repeat(3_001) } } }),
      "page",
    ],
    ["more text than an input takes", form({ p: { type: "string", minLength: 3_001 } }), "page"],
  ])("with %s is as it can be", (_, question, expected) => {
    expect(shape(question)).toBe(expected);
  });

  it("has boxes that may stay without a tick, also required ones", () => {
    const question = form({ agree: { type: "boolean" } }, { data: { values: { agree: true } } });
    const view = channel.renderForm?.(question, tap)[0]?.body["view"];
    expect(view).toMatchObject({ private_metadata: `ref ${team}` });
    expect(blocksOf(view as JsonObject)[1]).toMatchObject({
      block_id: "field_0",
      optional: true,
      element: { type: "checkboxes", initial_options: [{ value: "true" }] },
    });
  });

  it("of a notification is a modal too, under what it tells", () => {
    const [, notification] =
      goldenNotifications(team).find(([name]) => name === "notification-with-form") ?? [];
    if (notification === undefined) return expect.fail("no form");
    const view = channel.renderForm?.(notification, tap)[0]?.body["view"];
    expect(blocksOf(view as JsonObject)[0]).toMatchObject({ text: { text: "The build is done." } });
    expect(channel.renderForm?.({ ...base, message: "m" }, tap)).toEqual([]);
  });

  it("is opened by nothing but a tap on a form", () => {
    expect(channel.renderForm?.({ ...base, format: "confirm" }, tap)).toEqual([]);
    const { acknowledge: _, ...bare } = tap;
    expect(channel.renderForm?.(form({ a: { type: "string" } }), bare)).toEqual([]);
  });

  it("stays open with each fault under its field, and others under the first", () => {
    const question = form({ a: { type: "string" }, "b/c": { type: "integer" } });
    const reply = channel.refuseSubmission?.(question, [
      { path: "/b~1c", message: "must be 1" },
      { path: "/b~1c", message: "must be 2" },
      { path: "", message: "has expired" },
    ]);
    expect(reply?.status).toBe(200);
    expect(JSON.parse(reply?.body ?? "")).toEqual({
      response_action: "errors",
      errors: { field_1: "must be 1\nmust be 2", field_0: "has expired" },
    });
  });
});

describe("a question on Slack that has ended", () => {
  const sent = { question: { ...base, format: "confirm" as const }, address: "D1", messageId: "1.5" };

  it("is the same message with its end in place of its controls", () => {
    expect(channel.renderEnd(sent, { status: "answered", answer: "Yes" })).toMatchObject([
      {
        method: "chat.update",
        body: {
          channel: "D1",
          ts: "1.5",
          blocks: [
            { type: "section", text: { text: "q" } },
            { type: "section", text: { text: "Answered: Yes" } },
          ],
        },
      },
    ]);
  });

  it("has an answer too long for it in its thread", () => {
    const requests = channel.renderEnd(sent, { status: "answered", answer: "x".repeat(16_384) });
    expect(requests.map(({ method }) => method)).toEqual([
      "chat.update",
      "chat.postMessage",
      "chat.postMessage",
    ]);
    expect(requests[1]?.body["thread_ts"]).toBe("1.5");
  });

  it("tells a late tap, to that person alone", () => {
    expect(channel.renderAcknowledge?.(tap)).toEqual([]);
    expect(channel.renderAcknowledge?.(tap, "It is over.")).toMatchObject([
      { method: "chat.postEphemeral", body: { channel: team, user: person, text: "It is over." } },
    ]);
  });
});

describe("the variables of slack", () => {
  it("are named when half of them are set, or one is wrong", () => {
    expect(readSlackConfig({ SLACK_BOT_TOKEN: "x" })).toEqual({
      state: "half_set",
      missing: ["SLACK_SIGNING_SECRET"],
    });
    expect(readSlackConfig({ ...ENVIRONMENT, SLACK_API_URL: "slack" })).toMatchObject({ state: "invalid" });
    expect(make({ SLACK_DEFAULT_RECIPIENT: team }).defaultRecipient).toBe(team);
  });
});
