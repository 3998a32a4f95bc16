import type { Json, JsonObject } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { checkPlainAnswer, parseAnswerBody } from "./answer.ts";
import { parseAsk } from "./parse-ask.ts";
import { parseListQuery } from "./list-query.ts";
import { parseNotification } from "./notification.ts";
import { parseCancelBody } from "./small-bodies.ts";

/** Astral characters: a limit that counted UTF-16 units would refuse half as many. */
const long = (length: number) => "💩".repeat(length);
const ascii = (length: number) => "x".repeat(length);
const list = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, index) => make(index));
const object = (length: number, value: Json): JsonObject =>
  Object.fromEntries(list(length, (index) => [`key-${index}`, value]));

const question = "?";
const select = { question, answer_format: "select" };
const chat = { question, channel: "sms" };
const run = { driver: "d", run_id: "r" };
const parked = { question, mode: "async", run, expiry_at: "2031-01-01T00:00:00Z" };
const form = (names: string[]) => ({
  question,
  answer_format: "form",
  schema: { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) },
});

type Build = (size: number) => Json;

/** Each at its limit and one above. */
const ASK_CAPS: [name: string, limit: number, path: string, build: Build][] = [
  ["question", 8192, "/question", (n) => ({ question: long(n) })],
  ["id", 64, "/id", (n) => ({ question, id: ascii(n) })],
  ["options", 200, "/options", (n) => ({ ...select, options: list(n, String) })],
  ["option", 512, "/options/0", (n) => ({ ...select, options: [long(n)] })],
  [
    "option's label",
    512,
    "/options/0/label",
    (n) => ({ ...select, options: [{ value: "a", label: long(n) }] }),
  ],
  [
    "pages",
    50,
    "/pages",
    (n) => ({
      ...form(list(n, (i) => `p${i}`)),
      pages: list(n, (i) => ({ title: "t", properties: [`p${i}`] })),
    }),
  ],
  [
    "page title",
    200,
    "/pages/0/title",
    (n) => ({ ...form(["a"]), pages: [{ title: long(n), properties: ["a"] }] }),
  ],
  ["group_id", 128, "/group_id", (n) => ({ question, group_id: long(n) })],
  ["audience", 512, "/audience", (n) => ({ question, audience: long(n) })],
  ["recipient", 512, "/recipient", (n) => ({ ...chat, recipient: long(n) })],
  ["channel", 64, "/channel", (n) => ({ question, channel: ascii(n) })],
  ["run_id", 512, "/run/run_id", (n) => ({ ...parked, run: { driver: "d", run_id: long(n) } })],
  ["mismatch_notice", 2000, "/mismatch_notice", (n) => ({ ...chat, mismatch_notice: long(n) })],
  ["timeout_seconds", 2_592_000, "/timeout_seconds", (n) => ({ question, timeout_seconds: n })],
  ["metadata", 16, "/metadata", (n) => ({ question, metadata: object(n, "v") })],
  ["metadata value", 512, "/metadata/key-0", (n) => ({ question, metadata: { "key-0": long(n) } })],
  [
    "media",
    50,
    "/media",
    (n) => ({ question, media: list(n, () => ({ kind: "link", url: "https://x.example/" })) }),
  ],
  [
    "caption",
    1000,
    "/media/0/caption",
    (n) => ({ question, media: [{ kind: "link", url: "https://x.example/", caption: long(n) }] }),
  ],
  [
    "filename",
    255,
    "/media/0/filename",
    (n) => ({ question, media: [{ kind: "document", url: "https://x.example/", filename: long(n) }] }),
  ],
  [
    "media url",
    8192,
    "/media/0/url",
    (n) => ({ question, media: [{ kind: "link", url: "https://x.example/".padEnd(n, "x") }] }),
  ],
];

describe("a cap", () => {
  it.each(ASK_CAPS)("of an ask's %s is %d", (_name, limit, path, build) => {
    expect(parseAsk(build(limit))).toMatchObject({ ok: true });
    expect(parseAsk(build(limit + 1))).toMatchObject({ ok: false, faults: [{ path }] });
  });

  it("of a metadata key is 64", () => {
    expect(parseAsk({ question, metadata: { [long(64)]: "" } }).ok).toBe(true);
    expect(parseAsk({ question, metadata: { [long(65)]: "" } }).ok).toBe(false);
  });

  it("of the shortest timeout is a tenth of a second, and of the shortest id eight characters", () => {
    expect(parseAsk({ question, timeout_seconds: 0.1, id: ascii(8) }).ok).toBe(true);
    expect(parseAsk({ question, timeout_seconds: 0.09 }).ok).toBe(false);
    expect(parseAsk({ question, id: ascii(7) }).ok).toBe(false);
  });

  it("of an inline image is 524,288 characters, and of all media URLs together 1,048,576", () => {
    const head = "data:image/png;charset=utf-8;base64,";
    const image = (length: number) => ({ kind: "image", url: `${head}iVBORw0KGgoAAAAA`.padEnd(length, "A") });
    const link = { kind: "link", url: "https://x.example/" };
    const largest = image(524_288);
    expect(parseAsk({ question, media: [image(524_292)] })).toMatchObject({
      faults: [{ path: "/media/0/url" }],
    });
    expect(parseAsk({ question, media: [largest, largest] }).ok).toBe(true);
    expect(parseAsk({ question, media: [largest, largest, link] })).toEqual({
      ok: false,
      faults: [
        {
          path: "/media",
          message: "media must have at most 1048576 characters of URLs in total and has 1048594",
        },
      ],
    });
  });

  it("of a text answer is 16,384, the empty one included", () => {
    expect(checkPlainAnswer("text", undefined, "")).toEqual([]);
    expect(checkPlainAnswer("text", undefined, long(16_384))).toEqual([]);
    expect(checkPlainAnswer("text", undefined, long(16_385))).toHaveLength(1);
  });

  it("of params is 16 keys, 512 characters each and 2048 bytes together", () => {
    const answer = "";
    expect(parseAnswerBody({ answer, params: object(16, "v") }).ok).toBe(true);
    expect(parseAnswerBody({ answer, params: object(17, "v") }).ok).toBe(false);
    expect(parseAnswerBody({ answer, params: { a: ascii(512) } }).ok).toBe(true);
    expect(parseAnswerBody({ answer, params: { a: ascii(513) } }).ok).toBe(false);
    const four = { a: ascii(511), b: ascii(511), c: ascii(511), d: ascii(511) };
    expect(parseAnswerBody({ answer, params: four }).ok).toBe(true);
    expect(parseAnswerBody({ answer, params: { ...four, d: ascii(512) } })).toMatchObject({
      faults: [{ path: "/params" }],
    });
  });

  it("of a reason is 1000", () => {
    expect(parseCancelBody({ reason: long(1000) }).ok).toBe(true);
    expect(parseCancelBody({ reason: long(1001) }).ok).toBe(false);
  });

  it("of a notification is 65,536 characters and 10 options", () => {
    expect(parseNotification({ message: long(65_536) }).ok).toBe(true);
    expect(parseNotification({ message: long(65_537) }).ok).toBe(false);
    const sent = { message: "m", channel: "slack" };
    expect(parseNotification({ ...sent, options: list(10, String) }).ok).toBe(true);
    expect(parseNotification({ ...sent, options: list(11, String) })).toMatchObject({
      faults: [{ path: "/options" }],
    });
  });

  it("of a search is 200", () => {
    expect(parseListQuery(new URLSearchParams({ q: long(200) })).ok).toBe(true);
    expect(parseListQuery(new URLSearchParams({ q: long(201) })).ok).toBe(false);
  });
});
