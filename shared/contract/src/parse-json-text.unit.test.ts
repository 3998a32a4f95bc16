import { describe, expect, it } from "vitest";
import { parseJsonText } from "./parse-json-text.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("a JSON body", () => {
  it.each(["", "  ", "{", '{"answer":}', '{"answer":1}{', "nope", '"a\u0000b"', "\ufeff"])(
    "A-HTTP-3: %j is refused without being repeated",
    (text) => {
      const parsed = parseJsonText(bytes(text));
      expect(parsed.ok).toBe(false);
      expect(JSON.stringify(parsed)).not.toContain("nope");
    },
  );

  it.each([
    ["null", null],
    ["[]", []],
    ['"x"', "x"],
    ["3.0", 3],
    [' {"a":1} ', { a: 1 }],
  ])("A-HTTP-3: %s is JSON, whatever the door then thinks of it", (text, value) => {
    expect(parseJsonText(bytes(text))).toEqual({ ok: true, value });
  });

  it("ignores a leading byte order mark", () => {
    expect(parseJsonText(bytes('\ufeff{"a":1}'))).toEqual({ ok: true, value: { a: 1 } });
  });

  it("is refused when its bytes are not UTF-8", () => {
    const parsed = parseJsonText(new Uint8Array([0x22, 0xc3, 0x28, 0x22]));
    const faults = [{ path: "", message: "the body is not valid UTF-8" }];
    expect(parsed).toEqual({ ok: false, reason: "malformed", faults });
  });

  it("may be nested 100 levels and no deeper", () => {
    expect(parseJsonText(bytes(nested(100))).ok).toBe(true);
    expect(parseJsonText(bytes(nested(101))).ok).toBe(false);
    expect(parseJsonText(bytes(`[${JSON.stringify("[".repeat(500))}]`)).ok).toBe(true);
  });

  it("A-HTTP-3: a hundred thousand brackets do not overflow the stack", () => {
    expect(parseJsonText(bytes(nested(100_000))).ok).toBe(false);
  });

  it.each([
    ['{"question":"a\\u0000b"}', "/question", "question must not have a NUL character"],
    ['{"answer":{"x":["\\u0000"]}}', "/answer/x/0", "answer.x[0] must not have a NUL character"],
    ['{"a\\u0000":1}', "/a\uFFFD", "a\uFFFD as a key must not have a NUL character"],
    ['{"a":"\\ud800"}', "/a", "a must not have a lone surrogate"],
    ['{"a":"\\udc00\\ud800"}', "/a", "a must not have a lone surrogate"],
    ['{"a":{"__proto__":1}}', "/a/__proto__", 'a.__proto__ must not be named "__proto__"'],
    ['{"\\u005f_proto__":1}', "/__proto__", '__proto__ must not be named "__proto__"'],
    ['{"a/b~":[1e999]}', "/a~1b~0/0", "a/b~[0] must be a finite number"],
    ['{"a":-1E+400}', "/a", "a must be a finite number"],
    [`{"a":${"9".repeat(400)}}`, "/a", "a must be a finite number"],
  ])("A-UNI-2: %s is refused naming the place", (text, path, message) => {
    expect(parseJsonText(bytes(text))).toEqual({ ok: false, reason: "unkept", faults: [{ path, message }] });
  });

  it("lists every such fault, in the order of the body", () => {
    const parsed = parseJsonText(bytes('{"a":"\\u0000","b":[1e999,"\\ud800"]}'));
    expect(parsed).toMatchObject({ faults: [{ path: "/a" }, { path: "/b/0" }, { path: "/b/1" }] });
  });

  it("A-PROTO-1: other names of the prototype are plain data", () => {
    const text = '{"constructor":{"then":1},"toString":"x","hasOwnProperty":0}';
    expect(parseJsonText(bytes(text))).toEqual({ ok: true, value: JSON.parse(text) as unknown });
  });

  it("takes the last of two equal keys", () => {
    expect(parseJsonText(bytes('{"a":1,"a":2}'))).toEqual({ ok: true, value: { a: 2 } });
  });

  it("keeps surrogate pairs, escapes, quotes and long strings as they are", () => {
    const value = { a: "💩\\", b: 'say "hi"', c: "C:\\new", d: "x".repeat(10_000), e: 1e-7, f: 1e21 };
    expect(parseJsonText(bytes(JSON.stringify(value)))).toEqual({ ok: true, value });
    expect(parseJsonText(bytes('"\\ud83d\\udca9"'))).toEqual({ ok: true, value: "💩" });
  });

  it("does not take long over two megabytes of backslashes, quotes or digits", () => {
    for (const text of [
      `"${"\\".repeat(2_000_000)}"`,
      `["${'\\"'.repeat(1_000_000)}"]`,
      "1".repeat(2_000_000),
    ]) {
      const start = performance.now();
      parseJsonText(bytes(text));
      expect(performance.now() - start).toBeLessThan(2_000);
    }
  });
});
