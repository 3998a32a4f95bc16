import { hasVisible, type MediaItem, optionLabel } from "@interlude/contract";
import type { JsonObject } from "@interlude/kernel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Channel } from "./channel.ts";
import { MESSAGES_PER_QUESTION } from "./message-count.ts";
import type { OutgoingQuestion, QuestionContent, QuestionFormat } from "./question.ts";

export type ChannelContract = Readonly<{
  make: () => Channel;
  recipient: string;
  /** The texts that a person would read, of all requests in order. */
  readable: (method: string, body: object) => string;
}>;

const LINK = "https://ask.example/api/interactions/callback/k1.abc.def.ghi";
const FORM = {
  type: "object",
  properties: { note: { type: "string" }, amount: { type: "number" }, agree: { type: "boolean" } },
  required: ["agree"],
};
const MEDIA: readonly MediaItem[] = [
  { kind: "image", url: "https://files.example/a.png", caption: "The plan" },
  { kind: "document", url: "https://files.example/b.pdf", filename: "b.pdf" },
  { kind: "audio", url: "https://files.example/c.mp3", caption: "x".repeat(1000) },
  { kind: "link", url: "https://www.example/d", caption: "More" },
];

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `Choice ${index + 1}`);

const FORMATS: readonly [string, QuestionFormat][] = [
  ["text", { format: "text" }],
  ["text with replies", { format: "text", options: ["Soon", { value: "l", label: "Later" }] }],
  ["text with 200 replies", { format: "text", options: numbered(200) }],
  ["confirm", { format: "confirm" }],
  ...[1, 2, 3, 4, 5, 6, 10, 11, 40, 100, 101, 200].map((count): [string, QuestionFormat] => [
    `select of ${count}`,
    { format: "select", options: numbered(count) },
  ]),
  ["select of long options", { format: "select", options: ["a".repeat(512), "b".repeat(512), "ok"] }],
  ["form", { format: "form", schema: FORM }],
  ["external", { format: "external", linkUrl: "https://sign.example/doc?callback=x" }],
  ["external on our page", { format: "external" }],
];
const QUESTIONS: readonly [string, string][] = [
  ["short", "Send to first_name.last_name@example.com? (cost: *5-10* [est.] `x) <b>&amp;</b>"],
  ["emoji", "👨‍👩‍👧‍👦 ok?"],
  ["right to left", "האם לאשר את 12 ההזמנות?"],
  ["8192 letters in words", "question ".repeat(910).trimEnd()],
  ["8192 characters of two units", "😀".repeat(8192)],
];

function outgoing(contract: ChannelContract, format: QuestionFormat, question: string): OutgoingQuestion {
  return {
    ...format,
    question,
    reference: "0198c1d2-0000-7000-8000-000000000000",
    recipient: contract.recipient,
    pageUrl: LINK,
    deadlineMs: 1_800_000_000_000,
  };
}

/** What is read, without what is only layout. */
function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{Extended_Pictographic}]+/gu, "");
}

/** Where a medium delivers no forms, they are refused when asked, whatever it would say of them. */
function formatsOf({ capabilities }: Channel): [string, QuestionFormat][] {
  return FORMATS.filter(([, { format }]) => format !== "form" || capabilities.formDelivery !== "none");
}

function renderingTests(contract: ChannelContract): void {
  const channel = contract.make();
  for (const [formatName, format] of formatsOf(channel)) {
    for (const [questionName, question] of QUESTIONS) {
      it(`shows all of a ${questionName} question asked as ${formatName}, or refuses it when asked`, () => {
        const content: QuestionContent = { ...format, question, recipient: contract.recipient };
        if (channel.check(content).length > 0) {
          for (const fault of channel.check(content)) expect(fault.path).toMatch(/^\/[a-z_]+/);
          return;
        }
        const { requests } = channel.render(outgoing(contract, format, question));
        expect(requests.length).toBeLessThanOrEqual(MESSAGES_PER_QUESTION);
        expect(requests.filter(({ carriesControls }) => carriesControls)).toHaveLength(1);
        expect(requests.at(-1)?.carriesControls).toBe(true);
        const read = requests.map(({ method, body }) => contract.readable(method, body)).join("");
        expect(letters(read)).toContain(letters(question));
        if (format.format === "select") {
          for (const option of format.options) expect(letters(read)).toContain(letters(optionLabel(option)));
        }
      });
    }
  }

  it("sends every media item, its caption and its address", () => {
    const question = { ...outgoing(contract, { format: "confirm" }, "Go?"), media: MEDIA };
    const content: QuestionContent = { ...question, recipient: contract.recipient };
    expect(channel.check(content)).toEqual([]);
    const { requests } = channel.render(question);
    const sent = JSON.stringify(requests);
    for (const { url, caption } of MEDIA) {
      expect(sent).toContain(url);
      if (caption !== undefined) expect(sent).toContain(caption);
    }
  });

  it("renders the same bytes for the same question", () => {
    const question = { ...outgoing(contract, { format: "confirm" }, "Go?"), media: MEDIA };
    expect(contract.make().render(question)).toEqual(channel.render(question));
  });
}

function refusalTests(contract: ChannelContract): void {
  const channel = contract.make();
  const faults = (format: QuestionFormat, rest: { recipient?: string } = {}) =>
    channel.check({ ...format, question: "Go?", recipient: contract.recipient, ...rest });

  const wrongForms: [string, JsonObject][] = [
    ["/schema/properties", { type: "object" }],
    ["/schema/properties/tags", { type: "object", properties: { tags: { type: "array" } } }],
    ["/schema/properties/firstName", { type: "object", properties: { firstName: "" } }],
    ["/schema/properties/n/enum", { type: "object", properties: { n: { type: "integer", enum: [1] } } }],
  ];
  it.each(channel.capabilities.formDelivery === "none" ? [] : wrongForms)(
    "A-FORM-7: refuses a form at %s, naming it",
    (path, schema) => {
      expect(faults({ format: "form", schema })).toEqual([
        expect.objectContaining({ path: expect.stringMatching(`^${path}`) as string }),
      ]);
    },
  );

  it("refuses a recipient that the provider could not reach", () => {
    expect(faults({ format: "confirm" }, { recipient: "no such recipient!" })).toEqual([
      expect.objectContaining({ path: "/recipient" }),
    ]);
  });

  it("takes every question of an ordinary kind", () => {
    for (const [, format] of formatsOf(channel)) expect(faults(format)).toEqual([]);
  });
}

function inboundTests(contract: ChannelContract): void {
  const channel = contract.make();

  it("verifies nothing that a stranger sends, and never throws", () => {
    const header = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^(v0|sha256)=[0-9a-f]{64}$/));
    fc.assert(
      fc.property(
        fc.constantFrom("GET", "POST"),
        fc.webPath(),
        fc.option(header, { nil: null }),
        fc.uint8Array(),
        (method, url, value, rawBody) => {
          const headers = { get: () => value };
          expect(channel.verify({ method, url, headers, rawBody }, 0)).toEqual({ ok: false });
        },
      ),
    );
  });

  it("parses whatever comes without throwing, and never takes it for a person", () => {
    const bodies = fc.oneof(
      fc.uint8Array(),
      fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text)),
      fc.webQueryParameters().map((text) => Buffer.from(`payload=${text}`)),
    );
    fc.assert(
      fc.property(bodies, (rawBody) => {
        const { inbound } = channel.parse({
          method: "POST",
          url: "/api/channels/x/webhook",
          headers: { get: () => null },
          rawBody,
        });
        for (const each of inbound) expect(each.kind).toBe("ignored");
      }),
    );
  });

  it("writes each conversation in one way", () => {
    const address = channel.address(contract.recipient);
    expect(channel.address(address)).toBe(address);
  });

  it("splits a long notice, and shows it in order", () => {
    const text = "notice ".repeat(9_000);
    const requests = channel.renderNotice(channel.address(contract.recipient), text);
    const read = requests.map(({ method, body }) => contract.readable(method, body));
    expect(read.every(hasVisible)).toBe(true);
    expect(letters(read.join(""))).toBe(letters(text));
  });
}

/** Every channel passes this; what is its own is in its golden tests. */
export function channelContract(name: string, contract: ChannelContract): void {
  describe(`${name} as a channel`, () => {
    renderingTests(contract);
    refusalTests(contract);
    inboundTests(contract);
  });
}
