import { canonicalJson, isJsonList, isJsonObject, type Json } from "@interlude/kernel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAnswerBody } from "./answer.ts";
import { parseInstant } from "./instant.ts";
import { parseListQuery } from "./list-query.ts";
import { parseNotification } from "./notification.ts";
import { parseAsk } from "./parse-ask.ts";
import { parseJsonText } from "./parse-json-text.ts";
import type { Parsed } from "./parsed.ts";
import { parseDriverBody, parseParkBody } from "./run-bodies.ts";
import { parsePrefer } from "./waiting.ts";

const encoder = new TextEncoder();

/** As a body comes: through text, which is what makes `__proto__` and the like own keys. */
const json: fc.Arbitrary<Json> = fc
  .json({ maxDepth: 4, stringUnit: "grapheme" })
  .map((text) => JSON.parse(text) as Json);

const FIELDS = [
  ...["id", "question", "answer_format", "options", "schema", "data", "pages", "media", "group_id", "mode"],
  ...["timeout_seconds", "expiry_at", "run", "link", "verifier", "channel", "recipient", "on_mismatch"],
  ...[
    "mismatch_notice",
    "audience",
    "sensitive",
    "metadata",
    "message",
    "__proto__",
    "constructor",
    "answer",
    "params",
  ],
];
const meant: Json[] = [
  ...[
    "text",
    "confirm",
    "select",
    "form",
    "external",
    "async",
    "sync",
    "https://x/{callback_url}",
    "sms",
    "",
  ],
  ...["2031-01-01T00:00:00Z", "data:image/png;base64,iVBORw0KGgo=", "\u0000", "\ud800", 1, 0, true, null],
  { type: "object", properties: { a: { type: "string" } } },
  { values: { a: 1 }, options: { a: [{ value: "x" }] } },
  [{ title: "t", properties: ["a"] }],
  [{ kind: "image", url: "https://x.example/" }],
  ["a", { value: "b" }],
  { driver: "d", run_id: "r" },
];
const body = fc.dictionary(fc.constantFrom(...FIELDS), fc.oneof(json, fc.constantFrom(...meant)), {
  maxKeys: 12,
});

/** Whether a pointer leads to a place in the body, or to where a missing field would be. */
function leadsInto(value: Json, path: string): boolean {
  const steps = path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  let at: Json | undefined = value;
  for (const step of steps) {
    if (isJsonList(at)) at = at[Number(step)];
    else if (isJsonObject(at)) at = Object.hasOwn(at, step) ? at[step] : undefined;
    else return false;
  }
  return true;
}

function isSound(parsed: Parsed<unknown>, value: Json): void {
  if (parsed.ok) return;
  expect(parsed.faults.length).toBeGreaterThan(0);
  for (const { path, message } of parsed.faults) {
    expect(leadsInto(value, path)).toBe(true);
    expect(message.length).toBeGreaterThan(3);
  }
}

describe("a parser of bodies", () => {
  it.each([
    ["asks", parseAsk],
    ["notifications", parseNotification],
    ["answers", parseAnswerBody],
    ["drivers", parseDriverBody],
    ["parks", parseParkBody],
  ])(
    "of %s never throws, and each fault names a place in the body",
    (_name, parse: (value: Json) => Parsed<unknown>) => {
      fc.assert(
        fc.property(fc.oneof(body, json), (value) => {
          isSound(parse(value), value);
        }),
        { numRuns: 400 },
      );
    },
  );

  it("gives back an accepted ask with nothing lost", () => {
    fc.assert(
      fc.property(body, (value) => {
        const parsed = parseAsk({ ...value, question: "?" });
        if (parsed.ok) expect(parsed.value).toMatchObject({ ...value, question: "?" });
      }),
      { numRuns: 400 },
    );
  });
});

describe("the parser of JSON text", () => {
  it("never throws on any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        parseJsonText(bytes);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        parseJsonText(encoder.encode(text));
      }),
    );
  });

  it("reads what JSON.parse reads, or names why it must not", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), (text) => {
        const parsed = parseJsonText(encoder.encode(text));
        if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(text));
        else
          expect(parsed.faults.every(({ message }) => /NUL|surrogate|__proto__|deeper/.test(message))).toBe(
            true,
          );
      }),
    );
  });

  it("lets through nothing that may not be stored", () => {
    const hostile = fc.constantFrom("\\u0000", "\\ud800", "\\uDFFF", "a", "\\\\u0000", "\\ud83d\\udca9");
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 4 }), fc.array(hostile, { maxLength: 4 }), (key, value) => {
        const parsed = parseJsonText(encoder.encode(`{"x":[{"${key.join("")}":"${value.join("")}"}]}`));
        if (parsed.ok) expect(JSON.stringify(parsed.value)).not.toMatch(/(?<!\\)\\u(0000|d[89a-f])/i);
      }),
    );
  });
});

describe("the other parsers", () => {
  it("never throw on any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        parseInstant(text);
        parsePrefer(text);
        parseListQuery(new URLSearchParams(text));
      }),
    );
  });

  it("canonical JSON is JSON of an equal value, however the keys came", () => {
    fc.assert(
      fc.property(json, (value) => {
        const canonical = canonicalJson(value);
        expect(canonicalJson(JSON.parse(canonical) as Json)).toBe(canonical);
      }),
    );
  });
});
