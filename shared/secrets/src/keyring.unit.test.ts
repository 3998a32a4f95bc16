import { inspect } from "node:util";
import { ServiceFailure } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { generateKeyring, parseKeyring } from "./keyring.ts";

const long = Buffer.alloc(32, 7).toString("base64url");
const longer = Buffer.alloc(48, 9).toString("base64url");

function failure(text: string): ServiceFailure {
  try {
    parseKeyring(text, "INTERLUDE_TICKET_KEYS");
  } catch (error) {
    if (error instanceof ServiceFailure) return error;
  }
  return expect.fail("was accepted");
}

describe("a keyring", () => {
  it("makes with the first key and accepts all of them", () => {
    const ring = parseKeyring(`new:${long}, old:${longer}`, "V");
    expect(ring.current.kid).toBe("new");
    expect([...ring.keys.keys()]).toEqual(["new", "old"]);
  });

  it("accepts padding at a key's end", () => {
    expect(parseKeyring(`a:${long}=`, "V").current.secret.export()).toEqual(Buffer.alloc(32, 7));
  });

  it.each([
    ["nothing", ""],
    ["no colon", long],
    ["no key id", `:${long}`],
    ["a key id of 17 characters", `${"a".repeat(17)}:${long}`],
    ["a key id with a dot", `a.b:${long}`],
    ["a key of 31 bytes", `a:${Buffer.alloc(31, 7).toString("base64url")}`],
    ["no key", "a:"],
    ["standard base64", `a:${Buffer.alloc(32, 0xff).toString("base64")}`],
    ["a key with a stray character", `a:${long.slice(0, 20)} ${long.slice(20)}`],
    ["a key with spare bits set", `a:${long.slice(0, -1)}d`],
    ["a trailing comma", `a:${long},`],
    ["the same key id twice", `a:${long},a:${longer}`],
    ["a second entry at fault", `a:${long},b:short`],
  ])("with %s is refused, naming the variable and showing no key", (_, text) => {
    const { code, retry, message } = failure(text);
    expect({ code, retry }).toEqual({ code: "configuration_invalid", retry: "never" });
    expect(message).toContain("INTERLUDE_TICKET_KEYS");
    expect(message).not.toContain(long.slice(0, 20));
    expect(message).not.toContain("short");
  });

  it("names the place of the entry at fault", () => {
    expect(failure(`a:${long},b:short`).message).toContain("entry 2");
  });

  it("that is generated parses, and no two are alike", () => {
    const [one, two] = [generateKeyring(), generateKeyring()];
    expect(one).not.toBe(two);
    expect(parseKeyring(one, "V").keys.size).toBe(1);
    expect(parseKeyring(`${one},${two}`, "V").keys.size).toBe(2);
  });

  it("shows no key when it is printed or serialised", () => {
    const ring = parseKeyring(`a:${long}`, "V");
    const shown = inspect(ring, { depth: 10, showHidden: true }) + JSON.stringify([...ring.keys.values()]);
    expect(shown).not.toContain(long);
    expect(shown).not.toMatch(/07 07 07|7,7,7/);
  });
});
