import type { OutgoingQuestion } from "@interlude/channel-kit";
import { channelContract, goldenNotifications, goldenQuestions } from "@interlude/channel-kit/testing";
import { describe, expect, it } from "vitest";
import { createWhatsAppChannel, readWhatsAppConfig } from "./index.ts";
import { LIMITS } from "./limits.ts";

const ENVIRONMENT = {
  WHATSAPP_ACCESS_TOKEN: "EAAtoken",
  WHATSAPP_APP_SECRET: "app-secret",
  WHATSAPP_PHONE_NUMBER_ID: "9",
  WHATSAPP_VERIFY_TOKEN: "verify-me",
};
const make = (environment: Record<string, string> = {}) => {
  const setup = readWhatsAppConfig({ ...ENVIRONMENT, ...environment });
  if (setup.state !== "set") return expect.fail(setup.state);
  return createWhatsAppChannel(setup.config);
};
const channel = make();
const to = "+15550002222";
const golden = (value: unknown, name: string) =>
  expect(`${JSON.stringify(value, undefined, 2)}\n`).toMatchFileSnapshot(`../golden/${name}.json`);

/** Every text that a person reads in a message, in order. */
function readable(value: unknown): string {
  if (Array.isArray(value)) return value.map(readable).join("\n");
  if (typeof value !== "object" || value === null) return "";
  // As it is drawn: the text stands above the controls.
  const entries = Object.entries(value).sort(([one], [other]) => rank(one) - rank(other));
  return entries
    .map(([key, inner]) =>
      ["body", "title", "text", "caption"].includes(key) && typeof inner === "string"
        ? inner
        : readable(inner),
    )
    .join("\n");
}
const rank = (key: string) => (key === "body" ? 0 : 1);

channelContract("whatsapp", { make, recipient: to, readable: (_, body) => readable(body) });

const base = {
  question: "q",
  reference: "ref",
  recipient: to,
  pageUrl: "https://ask.example/x",
  deadlineMs: 0,
};
const labels = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => String.fromCharCode(65 + index).padEnd(length, "x"));
const interactive = (question: OutgoingQuestion) =>
  channel.render(question).requests.at(-1)?.body["interactive"];

describe("a question on WhatsApp", () => {
  it.each(goldenQuestions(to))("is the one of the golden file for %s", async (name, question) => {
    await golden(channel.render(question), name);
  });

  it.each(goldenNotifications(to))("tells the golden %s", async (name, notification) => {
    await golden(channel.renderNotification(notification), name);
  });

  it.each<[number, number, string, string]>([
    [1, 1, "buttons", "buttons"],
    [3, 20, "buttons", "buttons"],
    [3, 21, "list", "list"],
    [4, 20, "list", "list"],
    [10, 24, "list", "list"],
    [10, 25, "numbered", "text"],
    [11, 1, "numbered", "text"],
    [3, 25, "numbered", "text"],
  ])(
    "with %i options of %i characters is %s, and with suggested replies %s",
    (count, length, shape, suggested) => {
      const options = labels(count, length);
      expect(channel.render({ ...base, format: "select", options })).toMatchObject({ shape });
      expect(channel.render({ ...base, format: "text", options })).toMatchObject({ shape: suggested });
    },
  );

  it("A-OUT-2: never shortens a label, so that no two look the same", () => {
    const options = ["Approve with the standard conditions", "Approve with the special conditions"];
    const rendering = channel.render({ ...base, format: "select", options });
    expect(rendering).toMatchObject({ shape: "numbered", numbered: options });
    for (const option of options) expect(JSON.stringify(rendering.requests)).toContain(option);
  });

  it("has titles without blank edges and without line breaks", () => {
    expect(interactive({ ...base, format: "select", options: [" a ", "b"] })).toMatchObject({
      action: { buttons: [{ reply: { title: "a", id: "ref:0" } }, { reply: { title: "b", id: "ref:1" } }] },
    });
    expect(channel.render({ ...base, format: "select", options: ["a\nb", "c"] }).shape).toBe("numbered");
  });

  it.each([
    [LIMITS.INTERACTIVE_BODY_MAX_CHARS, 1],
    [LIMITS.INTERACTIVE_BODY_MAX_CHARS + 1, 2],
    [8192, 3],
  ])("of %i characters with buttons is %i messages, the last with the buttons", (length, count) => {
    const { requests } = channel.render({
      ...base,
      format: "confirm",
      question: "word ".repeat(2_000).slice(0, length),
    });
    expect(requests).toHaveLength(count);
    expect(requests.map(({ body }) => body["type"])).toEqual([
      ...Array.from({ length: count - 1 }, () => "text"),
      "interactive",
    ]);
  });

  it("sends ten media items as themselves, and the rest as links", () => {
    const media = Array.from({ length: 12 }, (_, i) => ({
      kind: "image" as const,
      url: `https://a.example/${i}`,
    }));
    const { requests } = channel.render({ ...base, format: "text", media });
    expect(requests.filter(({ body }) => body["type"] === "image")).toHaveLength(10);
    expect(requests.at(-1)?.body["text"]).toEqual({
      body: "q\n\nhttps://a.example/10\nhttps://a.example/11",
    });
  });

  it("has a caption too long for its place as a message behind it", () => {
    const media = [{ kind: "image" as const, url: "https://a.example/1", caption: "😀".repeat(600) }];
    const [image, caption] = channel.render({ ...base, format: "text", media }).requests;
    expect(image?.body["image"]).toEqual({ link: "https://a.example/1" });
    expect(caption?.body["text"]).toEqual({ body: "😀".repeat(600) });
  });

  it("is refused when asked where a link would not arrive whole, but not where it is no part of a text", () => {
    const url = `https://a.example/${"x".repeat(2_000)}`;
    const paths = (kind: "link" | "image") =>
      channel
        .check({ format: "confirm", question: "q", recipient: to, media: [{ kind, url }] })
        .map((f) => f.path);
    expect(paths("link")).toEqual(["/media/0/url"]);
    expect(paths("image")).toEqual([]);
    expect(
      channel.checkNotification({ message: "m", recipient: "x", media: [{ kind: "link", url }] }),
    ).toHaveLength(2);
  });

  it("can be announced to a person who has to write first, if there is a template", () => {
    expect("renderOpener" in channel).toBe(false);
    const withTemplate = make({ WHATSAPP_ASK_TEMPLATE: "ask_user/en_US" });
    const question: OutgoingQuestion = { ...base, format: "text", question: `a\n\tb ${"word ".repeat(200)}` };
    const [opener] = withTemplate.renderOpener?.(question) ?? [];
    expect(opener?.body).toMatchObject({
      type: "template",
      template: { name: "ask_user", language: { code: "en_US" } },
    });
    expect(JSON.stringify(opener)).toMatch(/"text":"a b word [a-z ]*word…"/);
  });

  it("cannot be changed, and a notice may quote what it is about", () => {
    const sent = {
      question: { ...base, format: "confirm" as const },
      address: "15550002222",
      messageId: "w",
    };
    expect(channel.renderEnd(sent, { status: "answered" })).toEqual([]);
    const [notice] = channel.renderNotice("15550002222", "hm", "wamid.1");
    expect(notice?.body).toMatchObject({ context: { message_id: "wamid.1" }, to: "15550002222" });
  });
});

describe("a number", () => {
  it.each([
    ["+52 1 55 0000 0001", "525500000001", "525500000001"],
    ["+5491112345678", "541112345678", "541112345678"],
    ["+55 11 9 8765-4321", "551187654321", "551187654321"],
    ["+55 11 3333-4444", "551133334444", "551133334444"],
    ["+1 (555) 000-2222", "15550002222", "15550002222"],
  ])("A-TEL-3: %s and %s are one conversation", (asked, reported, address) => {
    expect(channel.address(asked)).toBe(address);
    expect(channel.address(reported)).toBe(address);
  });

  it("is written to as it was given", () => {
    const [request] = channel.render({ ...base, format: "text", recipient: "+52 1 55 0000 0001" }).requests;
    expect(request?.body["to"]).toBe("5215500000001");
  });
});

describe("the variables of whatsapp", () => {
  it("are named when half of them are set, or one is wrong", () => {
    expect(readWhatsAppConfig({ WHATSAPP_WABA_ID: "1" })).toEqual({
      state: "half_set",
      missing: Object.keys(ENVIRONMENT),
    });
    const wrong = { WHATSAPP_PHONE_NUMBER_ID: "+1", WHATSAPP_ASK_TEMPLATE: "a b", WHATSAPP_API_URL: "x" };
    const setup = readWhatsAppConfig({ ...ENVIRONMENT, ...wrong });
    expect(setup).toMatchObject({ state: "invalid", faults: { length: 3 } });
    expect(readWhatsAppConfig({})).toEqual({ state: "unset" });
  });
});
