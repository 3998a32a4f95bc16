import type { Json, JsonObject } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { parseAsk } from "./parse-ask.ts";

const question = "Approve?";
const LINK = "https://pay.example/?back={callback_url}";
const schema = { type: "object", properties: { a: { type: "string" }, n: { type: "integer" } } };
const run = { driver: "d-1", run_id: "user@example.com/2026.01.01" };
const expiry_at = "2031-01-01T00:00:00Z";
const external = { question, answer_format: "external", link: LINK };
const form = { question, answer_format: "form", schema };

/** The faults as `path: message`, so that a failing test shows both. */
function faults(body: Json): string[] {
  const parsed = parseAsk(body);
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`);
}

function paths(body: Json): string[] {
  const parsed = parseAsk(body);
  return parsed.ok ? [] : parsed.faults.map(({ path }) => path);
}

describe("an ask that is accepted", () => {
  it("needs only a question and gets the defaults", () => {
    expect(parseAsk({ question })).toEqual({
      ok: true,
      value: { question, answer_format: "text", mode: "sync", sensitive: false },
    });
  });

  it("keeps everything as it was sent", () => {
    const body = {
      id: "order-4711",
      question: "  Zu\u0308rich? 💩 ",
      answer_format: "select",
      options: ["C:\\new", 'say "hi"', "{a,b}", { value: "v", label: "Label" }],
      media: [{ kind: "link", url: "https://x.example/", caption: "c" }],
      group_id: "g",
      mode: "async",
      expiry_at,
      run,
      channel: "slack",
      recipient: "#ops",
      on_mismatch: "bridge",
      mismatch_notice: "No: {reason}",
      audience: "group:ops",
      sensitive: true,
      metadata: { constructor: "x", toString: "", 日本: "y" },
    };
    expect(parseAsk(body)).toEqual({ ok: true, value: body });
  });

  it.each<[string, JsonObject]>([
    ["text with suggested replies", { question, options: ["a"] }],
    ["confirm", { question, answer_format: "confirm", timeout_seconds: 0.1 }],
    ["form", { ...form, data: { values: { a: "x" } }, pages: [{ title: "1", properties: ["n", "a"] }] }],
    [
      "form whose choices hold the empty string",
      { ...form, data: { options: { a: [{ value: "" }, { value: "b" }] } } },
    ],
    ["external", external],
    ["external with a schema", { ...external, schema }],
    ["external with a verifier", { ...external, verifier: { name: "github", config: { secret_ref: "s" } } }],
    [
      "external over a channel without a link",
      { question, answer_format: "external", channel: "sms", recipient: "+1" },
    ],
    ["a channel without a recipient", { question, channel: "slack" }],
    ["a link with other braces", { ...external, link: "https://x.example/{a}?u={callback_url}#{b}" }],
    ["a link that is the callback URL", { ...external, link: "{callback_url}" }],
  ])("%s", (_name, body) => {
    expect(faults(body)).toEqual([]);
  });

  it("retries by default over a channel, and says nothing of it elsewhere", () => {
    expect(parseAsk({ question, channel: "slack" })).toMatchObject({ value: { on_mismatch: "retry" } });
    expect(parseAsk({ question })).not.toHaveProperty("value.on_mismatch");
  });
});

describe("an ask that is refused", () => {
  it.each<[string, JsonObject | readonly Json[] | null, string[]]>([
    ["a list", [], [""]],
    ["null", null, [""]],
    ["no question", {}, ["/question"]],
    ["a blank question", { question: " \u200b\u3164\u2800 " }, ["/question"]],
    ["an empty question", { question: "" }, ["/question"]],
    ["2: an unknown answer_format", { question, answer_format: "number" }, ["/answer_format"]],
    ["3: select without options", { question, answer_format: "select" }, ["/options"]],
    ["3: select with no option", { question, answer_format: "select", options: [] }, ["/options"]],
    ["A-JSON-2: an empty option", { question, answer_format: "select", options: ["a", ""] }, ["/options/1"]],
    ["options that are no list", { question, options: "a" }, ["/options"]],
    ["options on confirm", { question, answer_format: "confirm", options: ["a"] }, ["/options"]],
    ["4: form without schema", { question, answer_format: "form" }, ["/schema"]],
    ["4: schema as a string", { question, answer_format: "form", schema: "{}" }, ["/schema"]],
    ["schema as a boolean", { question, answer_format: "form", schema: true }, ["/schema"]],
    ["schema on text", { question, schema }, ["/schema"]],
    ["5: external without link and channel", { question, answer_format: "external" }, ["/link"]],
    ["5: external with options", { ...external, options: ["a"] }, ["/options"]],
    ["6: link on text", { question, link: LINK }, ["/link"]],
    ["6: verifier on text", { question, verifier: { name: "github", config: {} } }, ["/verifier"]],
    [
      "6: verifier on a callback page",
      { question, answer_format: "external", channel: "sms", verifier: { name: "github", config: {} } },
      ["/verifier"],
    ],
    ["7: link without the placeholder", { ...external, link: "https://x.example/" }, ["/link"]],
    ["7: link that is no URL", { ...external, link: "/x?u={callback_url}" }, ["/link"]],
    ["a placeholder for the link's host", { ...external, link: "https://{callback_url}/" }, ["/link"]],
    ["a placeholder in the link's host", { ...external, link: "https://pay.{callback_url}" }, ["/link"]],
    [
      "a placeholder for the link's port",
      { ...external, link: "https://x.example:{callback_url}/" },
      ["/link"],
    ],
    ["link without a host", { ...external, link: "https:///{callback_url}" }, ["/link"]],
    ["8: link of another scheme", { ...external, link: "ftp://x.example/{callback_url}" }, ["/link"]],
    ["8: link as a number", { ...external, link: 3 }, ["/link"]],
    ["link with a newline", { ...external, link: "https://x.example/\n{callback_url}" }, ["/link"]],
    ["10: timeout 0", { question, timeout_seconds: 0 }, ["/timeout_seconds"]],
    ["10: timeout -1", { question, timeout_seconds: -1 }, ["/timeout_seconds"]],
    ["timeout as text", { question, timeout_seconds: "60" }, ["/timeout_seconds"]],
    ["10: expiry_at with sync", { question, expiry_at }, ["/expiry_at"]],
    ["run with sync", { question, run }, ["/run"]],
    ["10: async without expiry_at and run", { question, mode: "async" }, ["/expiry_at", "/run"]],
    [
      "10: timeout with async",
      { question, mode: "async", expiry_at, run, timeout_seconds: 1 },
      ["/timeout_seconds", "/timeout_seconds"],
    ],
    [
      "A-TIME-2: naive expiry_at",
      { question, mode: "async", run, expiry_at: "2031-03-30T02:30:00" },
      ["/expiry_at"],
    ],
    [
      "A-TIME-2: a date as expiry_at",
      { question, mode: "async", run, expiry_at: "2031-03-30" },
      ["/expiry_at"],
    ],
    ["run without run_id", { question, mode: "async", expiry_at, run: { driver: "d" } }, ["/run/run_id"]],
    [
      "run with a driver that is no name",
      { question, mode: "async", expiry_at, run: { ...run, driver: "a b" } },
      ["/run/driver"],
    ],
    ["12: blank audience", { question, audience: "  " }, ["/audience"]],
    ["an audience that names no group", { question, audience: "group:" }, ["/audience"]],
    ["a control character in audience", { question, audience: "a\nb" }, ["/audience"]],
    ["a control character in group_id", { question, group_id: "a\u0085b" }, ["/group_id"]],
    ["a control character in recipient", { question, channel: "sms", recipient: "a\tb" }, ["/recipient"]],
    ["13: recipient without channel", { question, recipient: "x" }, ["/recipient"]],
    ["13: blank recipient", { question, channel: "sms", recipient: " " }, ["/recipient"]],
    ["13: empty channel", { question, channel: "" }, ["/channel"]],
    ["A-SUB-1: a channel with a space", { question, channel: "ops team.eu" }, ["/channel"]],
    ["A-SUB-1: a channel with a wildcard", { question, channel: "ops.>" }, ["/channel"]],
    ["14: unknown verifier", { ...external, verifier: { name: "x", config: {} } }, ["/verifier/name"]],
    ["14: verifier as text", { ...external, verifier: "github" }, ["/verifier"]],
    ["14: verifier without a name", { ...external, verifier: { config: {} } }, ["/verifier/name"]],
    ["on_mismatch without channel", { question, on_mismatch: "retry" }, ["/on_mismatch"]],
    ["mismatch_notice without channel", { question, mismatch_notice: "x" }, ["/mismatch_notice"]],
    ["an unknown on_mismatch", { question, channel: "sms", on_mismatch: "x" }, ["/on_mismatch"]],
    ["sensitive as text", { question, sensitive: "yes" }, ["/sensitive"]],
    ["metadata that is no string", { question, metadata: { a: 1 } }, ["/metadata/a"]],
    [
      "a control character in a metadata key",
      { question, metadata: { "a\u0001": "" } },
      ["/metadata/a\u0001"],
    ],
    ["a control character in metadata", { question, metadata: { a: "\r" } }, ["/metadata/a"]],
    ["an empty metadata key", { question, metadata: { "": "a" } }, ["/metadata/"]],
    [
      "unknown fields, named like a prototype's too",
      { question, toString: 1, timeout: 3 },
      ["/toString", "/timeout"],
    ],
    ["null for an optional field", { question, id: null }, ["/id"]],
    ["data on text", { question, data: {} }, ["/data"]],
    ["pages on text", { question, pages: [{ title: "a", properties: ["a"] }] }, ["/pages"]],
  ])("%s", (_name, body, expected) => {
    expect(paths(body)).toEqual(expected);
  });

  it.each([
    "short-7",
    "a".repeat(65),
    "with space",
    "a.b.c.d.e",
    "k_abcdefgh",
    "r_abcdefgh",
    "x_abcdefgh",
    "callback",
    "reservations",
    "naïve-id-1",
  ])("the id %s", (id) => {
    expect(paths({ question, id })).toEqual(["/id"]);
  });

  it("10: says that a timeout and an expiry exclude each other", () => {
    expect(faults({ question, timeout_seconds: 3, expiry_at })).toContain(
      "/timeout_seconds: timeout_seconds and expiry_at are mutually exclusive",
    );
  });

  it("names every fault at once, each with its place", () => {
    const body = {
      question: "",
      answer_format: "select",
      options: ["a", 3],
      foo: 1,
      mode: "async",
      recipient: "x",
    };
    expect(faults(body)).toEqual([
      "/question: question must not be empty",
      "/options/1: options[1] must be a string or an object",
      "/foo: foo is not a known field",
      "/expiry_at: expiry_at is required for mode async",
      "/run: run is required for mode async",
      "/recipient: recipient needs a channel",
    ]);
  });

  it("1: says the cap and the actual length", () => {
    expect(faults({ question: "x".repeat(8193) })).toEqual([
      "/question: question must be at most 8192 characters long and has 8193",
    ]);
  });

  it("lists a hundred unknown fields and counts the others", () => {
    const body: Record<string, Json> = { question };
    for (let index = 0; index < 5000; index++) body[`f${index}`] = 1;
    expect(faults(body)).toHaveLength(101);
    expect(faults(body).at(-1)).toBe(": the body has 4900 more fields that are not known");
  });

  it.each<[string, JsonObject]>([
    ["fields", Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`f${index}`, 1]))],
    ["options", { question, answer_format: "select", options: Array.from({ length: 300_000 }, () => 1) }],
    ["pages", { ...form, pages: Array.from({ length: 300_000 }, () => 1) }],
    [
      "page properties",
      { ...form, pages: [{ title: "t", properties: Array.from({ length: 300_000 }, () => 1) }] },
    ],
    ["media", { question, media: Array.from({ length: 300_000 }, () => 1) }],
    [
      "metadata",
      { question, metadata: Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`f${i}`, 1])) },
    ],
    [
      "choices",
      {
        ...form,
        data: { options: Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`f${i}`, []])) },
      },
    ],
    ["labels of a host", { question, media: [{ kind: "link", url: `https://${"a.".repeat(1_000_000)}` }] }],
    ["callback URLs in a link", { ...external, link: `ftp://${"{callback_url}".repeat(140_000)}` }],
  ])("because of two megabytes of %s is refused without overflow and soon", (_name, body) => {
    const start = performance.now();
    expect(paths(body).length).toBeGreaterThan(0);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe("options", () => {
  const select = (options: Json): JsonObject => ({ question, answer_format: "select", options });

  it.each<[string, Json, string[]]>([
    ["case", ["Yes", "yes"], ["/options/1"]],
    ["surrounding space", ["a", " a "], ["/options/1"]],
    ["composition", ["Z\u00fcrich", "Zu\u0308rich"], ["/options/1"]],
    ["case folding", ["Straße", "STRASSE"], ["/options/1"]],
    [
      "value, though labelled apart",
      [
        { value: "a", label: "1" },
        { value: "A", label: "2" },
      ],
      ["/options/1"],
    ],
    [
      "label, though of other values",
      [
        { value: "a", label: "x" },
        { value: "b", label: "X" },
      ],
      ["/options/1"],
    ],
    ["what is read for them", ["x", { value: "b", label: "X" }], ["/options/1"]],
  ])("that differ only by %s are refused", (_name, options, expected) => {
    expect(paths(select(options))).toEqual(expected);
  });

  it("are looked at even when another field is wrong", () => {
    expect(paths({ ...select(["a", "A"]), id: 3 })).toEqual(["/id", "/options/1"]);
  });

  it("say of a text what is wrong with it, and of what is neither text nor object that it must be one", () => {
    expect(faults(select(["a", "\u200b ", "", "x".repeat(513), 3]))).toEqual([
      "/options/1: options[1] must have a visible character",
      "/options/2: options[2] must not be empty",
      "/options/3: options[3] must be at most 512 characters long and has 513",
      "/options/4: options[4] must be a string or an object",
    ]);
  });

  it("name what is wrong inside them", () => {
    expect(faults(select([{ value: "a", labl: "b" }, {}]))).toEqual([
      "/options/0/labl: options[0].labl is not a known field",
      "/options/1/value: options[1].value is required",
    ]);
  });
});

describe("data and pages", () => {
  it.each<[string, JsonObject, string[]]>([
    ["25: a value for an unknown property", { data: { values: { z: 1 } } }, ["/data/values/z"]],
    ["a value for a prototype's property", { data: { values: { toString: 1 } } }, ["/data/values/toString"]],
    [
      "25: options for an unknown property",
      { data: { options: { z: [{ value: "a" }] } } },
      ["/data/options/z"],
    ],
    ["25: options on an integer", { data: { options: { n: [{ value: "1" }] } } }, ["/data/options/n"]],
    ["no options", { data: { options: { a: [] } } }, ["/data/options/a"]],
    ["options that are no list", { data: { options: { a: "x" } } }, ["/data/options/a"]],
    ["options that are strings", { data: { options: { a: ["x"] } } }, ["/data/options/a/0"]],
    [
      "repeated options",
      { data: { options: { a: [{ value: "x" }, { value: "X" }] } } },
      ["/data/options/a/1"],
    ],
    ["data of an unknown part", { data: { value: {} } }, ["/data/value"]],
    ["values that are no object", { data: { values: [] } }, ["/data/values"]],
    ["25: a page that misses a property", { pages: [{ title: "1", properties: ["a"] }] }, ["/pages"]],
    [
      "25: a page that repeats a property",
      { pages: [{ title: "1", properties: ["a", "n", "a"] }] },
      ["/pages/0/properties/2"],
    ],
    [
      "25: a page with an unknown property",
      { pages: [{ title: "1", properties: ["a", "n", "z"] }] },
      ["/pages/0/properties/2"],
    ],
    ["no pages", { pages: [] }, ["/pages"]],
    ["a page without properties", { pages: [{ title: "1", properties: [] }] }, ["/pages/0/properties"]],
    ["a page without a title", { pages: [{ properties: ["a", "n"] }] }, ["/pages/0/title"]],
  ])("%s is refused", (_name, parts, expected) => {
    expect(paths({ ...form, ...parts }).filter((path) => expected.includes(path))).toEqual(expected);
    expect(faults({ ...form, ...parts }).every((fault) => /: (data|pages)/.test(fault))).toBe(true);
  });

  it("25: a fault names the property in its message too", () => {
    expect(faults({ ...form, pages: [{ title: "1", properties: ["a"] }] })).toEqual([
      '/pages: pages must also name "n"',
    ]);
  });
});

describe("a reservation's own id", () => {
  const context = { isReservation: (id: string) => id.startsWith("r_") };
  const ask = { ...external, id: "r_abcdefgh", link: "https://pay.example/?back=https%3A%2F%2Fcb" };

  it("may begin with r_ and come with a finished link", () => {
    expect(parseAsk(ask, context).ok).toBe(true);
  });

  it("is no excuse for another shape", () => {
    expect(parseAsk({ ...ask, id: "r_a b" }, context)).toMatchObject({ faults: [{ path: "/id" }] });
  });
});
