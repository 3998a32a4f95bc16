import type { Json } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { FORMATS } from "./formats.ts";
import { checkRegExp, compileSchema } from "./index.ts";

/** Generous, because the machine is shared; a backtracking engine would need years. */
const BOUND_MS = 4_000;

function check(schema: Json, value: Json) {
  const startedAt = performance.now();
  const result = compileSchema(schema);
  const faults = result.ok ? result.schema.validate(value) : result.faults;
  return { faults, tookMs: performance.now() - startedAt };
}

describe("no schema and no value make a check slow", () => {
  it.each(["^(a+)+$", "^(a|aa)+$", "^([a-z]+)*[0-9]$", "(.*a){20}$"])(
    "nested quantifiers: %s (A-SCH-3)",
    (pattern) => {
      const schema = { properties: { v: { type: "string", pattern } } };
      const { faults, tookMs } = check(schema, { v: `${"a".repeat(60_000)}!` });
      expect(faults).toHaveLength(1);
      expect(tookMs).toBeLessThan(BOUND_MS);
    },
  );

  it("a schema that doubles its work at every level", () => {
    let value: Json = {};
    for (let level = 0; level < 95; level++) value = { a: value };
    const { faults, tookMs } = check({ properties: { a: { allOf: [{ $ref: "#" }, { $ref: "#" }] } } }, value);
    expect(faults[0]?.message).toContain("too complex");
    expect(tookMs).toBeLessThan(BOUND_MS);
  });

  /** Each level leads twice to the next, at the same value. */
  const doubling = (levels: number, keyword: string): Record<string, Json> => ({
    $ref: "#/$defs/l0",
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, at): [string, Json] => {
        const next = { $ref: `#/$defs/l${at + 1}` };
        return [`l${at}`, at + 1 === levels ? { type: "object" } : { [keyword]: [next, next] }];
      }),
    ),
  });

  it.each(["allOf", "anyOf", "oneOf"])(
    "what doubles at every level by %s is refused when asked",
    (keyword) => {
      const startedAt = performance.now();
      const result = compileSchema(doubling(400, keyword));
      expect(performance.now() - startedAt).toBeLessThan(BOUND_MS);
      // The last 16 levels could be checked.
      expect(result).toMatchObject({ ok: false, faults: [{ path: "/$defs/l383" }] });
      expect(result.ok ? "" : result.faults[0]?.message).toContain("multiply");
    },
  );

  it.each(["allOf", "anyOf"])("what doubles a few times by %s is taken, and checks", (keyword) => {
    const { faults, tookMs } = check(doubling(14, keyword), {});
    expect(faults).toEqual([]);
    expect(tookMs).toBeLessThan(BOUND_MS);
  });

  it("a few branches that are large are no multiplication", () => {
    const leaf = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    const branches = Array.from({ length: 200 }, (_, at) => ({ ...leaf, properties: { [`p${at}`]: leaf } }));
    expect(compileSchema({ anyOf: [{ anyOf: branches }, { oneOf: branches }] }).ok).toBe(true);
  });

  it("a thousand required names for each of many items", () => {
    const required = Array.from({ length: 1_000 }, (_, at) => `r${at}`);
    const { faults, tookMs } = check(
      { items: { required } },
      Array.from({ length: 20_000 }, () => ({})),
    );
    expect(faults[0]?.message).toContain("too complex");
    expect(tookMs).toBeLessThan(BOUND_MS);
  });

  it.each(["oneOf", "anyOf"])("thousands of constants to choose from by %s", (keyword) => {
    const branches = Array.from({ length: 3_000 }, (_, at) => ({ const: at }));
    const { faults, tookMs } = check({ [keyword]: branches }, -1);
    expect(faults).toMatchObject([{ message: expect.stringContaining("must be one of: 0, 1,") as string }]);
    expect(tookMs).toBeLessThan(BOUND_MS);
  });

  it.each(["oneOf", "anyOf"])("hundreds of forms to choose from by %s", (keyword) => {
    const branches = Array.from({ length: 2_000 }, (_, at) => ({ maxLength: at }));
    const { faults, tookMs } = check({ properties: { v: { [keyword]: branches } } }, { v: "text" });
    expect(faults).toMatchObject([{ path: `/properties/v/${keyword}` }]);
    expect(faults[0]?.message).toContain("more than 200 branches");
    expect(tookMs).toBeLessThan(BOUND_MS);
  });

  it("many items that must differ", () => {
    const value = Array.from({ length: 20_000 }, (_, at) => [at]);
    expect(check({ uniqueItems: true }, value)).toMatchObject({ faults: [] });
  });

  it.each([...FORMATS.keys()])("format %s on hostile text", (format) => {
    const texts = ["a", "1", "a.", "a-", "1:", "/a", "{a}", "%61", "a@", "://", "P1Y", "\\d", "=", "-", "a:"];
    const startedAt = performance.now();
    for (const text of texts) {
      for (const prefix of ["", "http://", "a@", "mailto:"]) {
        check({ format }, `${prefix}${text.repeat(65_000 / text.length)}\u0001`);
      }
    }
    expect(performance.now() - startedAt).toBeLessThan(BOUND_MS);
  });

  it("a pattern too large to run is refused", () => {
    expect(checkRegExp("(a{1000}){1000}")?.message).toContain("cannot be used");
    expect(checkRegExp("(a|b)".repeat(900))?.message).toContain("repeats too much");
    expect(checkRegExp("^[\\u00c0-\\u017f]+$")).toBeUndefined();
  });

  it("patterns together have a limit of their own", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`p${at}`, { pattern: `[a-c]{900}x${at}` }]),
    );
    expect(check({ properties }, {}).faults.at(-1)?.message).toContain("too long together");
  });

  it("memory stays flat over many different schemas with one $id", () => {
    const rounds = (count: number, prefix: string) => {
      for (let at = 0; at < count; at++) {
        compileSchema({
          $id: "https://same.example/s",
          properties: { [`${prefix}${at}`]: { type: "string" } },
        });
      }
      return process.memoryUsage().heapUsed;
    };
    const warm = rounds(600, "a");
    expect(rounds(600, "b") - warm).toBeLessThan(60 * 1024 * 1024);
  });
});

describe("a schema's text is never code", () => {
  it.each([
    '");process.exit(1)//',
    "${process.exit(1)}",
    "`",
    "\\",
    "\u2028",
    "*/process.exit(1)/*",
    "'];//",
  ])("%j", (text) => {
    const schema: Json = {
      type: "object",
      properties: { [text]: { const: text, format: text }, pattern: { enum: [text] } },
      required: [text],
      dependentRequired: { [text]: [text] },
      patternProperties: { a: { $ref: "#/$defs/d" } },
      $defs: { d: { title: text, [text]: text } },
    };
    expect(check(schema, {}).faults).toEqual([
      { path: expect.any(String) as string, message: `${text} is required` },
    ]);
    expect(check(schema, { [text]: text }).faults).toEqual([]);
  });
});
