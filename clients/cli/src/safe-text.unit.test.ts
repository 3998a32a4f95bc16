import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeJson, safeLine, safeText } from "./safe-text.ts";

const ESC = "\u001b";

describe("safeText", () => {
  it.each([
    ["colours", `${ESC}[31mred${ESC}[0m`, "red"],
    ["cursor movement and clearing", `a${ESC}[2J${ESC}[1;1Hb`, "ab"],
    ["a private mode", `${ESC}[?1049hx`, "x"],
    ["a one-byte introducer", "\u009b31mred", "red"],
    ["a window title", `${ESC}]0;owned\u0007x`, "x"],
    ["a link", `${ESC}]8;;https://evil${ESC}\\click${ESC}]8;;${ESC}\\`, "click"],
    ["a clipboard write", `${ESC}]52;c;cm0gLXJm\u0007x`, "x"],
    ["a string without an end, hiding nothing", `${ESC}]0;title of nothing`, "0;title of nothing"],
    ["a device string", `${ESC}P1$r0m${ESC}\\x`, "x"],
    ["one-byte strings", "\u009d0;t\u009cx\u0090q\u009cy", "xy"],
    ["charset and reset", `${ESC}(0${ESC}cx`, "x"],
    ["a lone escape", `a${ESC}`, "a"],
    ["a sequence made of what is left of two", `${ESC}${ESC}[31m[31mx`, "31mx"],
    ["backspaces", "safe\b\b\b\bevil", "safeevil"],
    ["a carriage return that overwrites", "approve\rreject", "approve\nreject"],
    ["line separators", "a\u2028b\u2029c", "a\nb\nc"],
    ["NUL, BEL and DEL", "a\u0000b\u0007c\u007fd", "abcd"],
    ["bidi overrides", "user\u202egnp.exe", "usergnp.exe"],
    ["bidi isolates and marks", "\u2066a\u2069\u200f\u061cb", "ab"],
    ["zero-width space and BOM", "a\u200b\ufeffb", "ab"],
    ["tag characters", "a\u{e0041}b", "ab"],
    ["a lone surrogate", "a\ud800b", "a\ufffdb"],
    ["joiners that scripts need", "می\u200cخواهم 👩\u200d🚀", "می\u200cخواهم 👩\u200d🚀"],
    ["tabs and line breaks", "a\tb\nc", "a\tb\nc"],
  ])("is harmless: %s", (_name, given, shown) => {
    expect(safeText(given)).toBe(shown);
  });

  it("leaves no control character but tab and newline, whatever comes in, and is stable", () => {
    const nasty = fc.string({
      unit: fc.oneof(
        fc.constantFrom(
          ESC,
          "[",
          "]",
          "\u009b",
          "\u009d",
          "\u009c",
          "\u0007",
          ";",
          "m",
          "0",
          "\\",
          "P",
          "\u202e",
        ),
        fc.string({ unit: "binary", maxLength: 1 }),
      ),
    });
    fc.assert(
      fc.property(nasty, (given) => {
        const shown = safeText(given);
        // eslint-disable-next-line no-control-regex -- the very characters that must not come through
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(safeText(shown)).toBe(shown);
      }),
    );
  });
});

describe("safeLine", () => {
  it("is one line, cut by characters and not in the middle of one", () => {
    expect(safeLine(" a\n\n b\tc ")).toBe("a b c");
    expect(safeLine("👩👩👩👩", 3)).toBe("👩👩…");
  });
});

describe("safeJson", () => {
  it("means the same to a parser and nothing to a terminal", () => {
    const value = { text: `${ESC}[31m\u009b31m\u202eabc\u2028\u007f` };
    const json = safeJson(value);
    expect(JSON.parse(json)).toEqual(value);
    expect(json).toBe('{"text":"\\u001b[31m\\u009b31m\\u202eabc\\u2028\\u007f"}');
  });
});
