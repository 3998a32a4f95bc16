import { describe, expect, it } from "vitest";
import { digestUnder, newDataKey, openAnswer, sealAnswer, unwrapKey, wrapKey } from "./data-key.ts";
import { generateKeyring, parseKeyring } from "./keyring.ts";

const [first, second] = [generateKeyring(), generateKeyring()];
const ring = parseKeyring(first, "V");
const dataKey = newDataKey();
const secret = JSON.stringify({ pin: "1234", note: "naïve 日本 😀" });

describe("a sealed answer", () => {
  it("opens with its key, for its interaction", () => {
    expect(openAnswer(dataKey, sealAnswer(dataKey, secret, "q1"), "q1")).toBe(secret);
    expect(openAnswer(dataKey, sealAnswer(dataKey, "", "q1"), "q1")).toBe("");
  });

  it("shows nothing, and differs each time", () => {
    const [one, two] = [sealAnswer(dataKey, secret, "q1"), sealAnswer(dataKey, secret, "q1")];
    expect(one).not.toBe(two);
    expect(Buffer.from(one, "base64url").toString("latin1")).not.toContain("1234");
  });

  it("moved to another interaction, or with another key, stays shut", () => {
    const sealed = sealAnswer(dataKey, secret, "q1");
    expect(openAnswer(dataKey, sealed, "q2")).toBeUndefined();
    expect(openAnswer(newDataKey(), sealed, "q1")).toBeUndefined();
  });

  it("changed anywhere stays shut", () => {
    const sealed = Buffer.from(sealAnswer(dataKey, secret, "q1"), "base64url");
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(openAnswer(dataKey, changed.toString("base64url"), "q1")).toBeUndefined();
    }
  });

  it.each(["", "A", "not base64url!", "A".repeat(36), "A".repeat(37)])("is not %j", (text) => {
    expect(openAnswer(dataKey, text, "q1")).toBeUndefined();
  });
});

describe("a digest under a data key", () => {
  const digest = (...[key, purpose, text, id]: Parameters<typeof digestUnder>) =>
    digestUnder(key, purpose, text, id);
  const one = digest(dataKey, "content", "1234", "q1");

  it("is the same for the same text, also under the key as it comes back from its wrapping", () => {
    const again = unwrapKey(ring, wrapKey(ring, dataKey, "q1"), "q1");
    expect(again && digest(again, "content", "1234", "q1")).toBe(one);
  });

  it.each([
    ["text", digest(dataKey, "content", "1235", "q1")],
    ["purpose", digest(dataKey, "key", "1234", "q1")],
    ["interaction", digest(dataKey, "content", "1234", "q2")],
    ["key", digest(newDataKey(), "content", "1234", "q1")],
  ])("differs by %s", (_, other) => {
    expect(other).not.toBe(one);
  });
});

describe("a wrapped data key", () => {
  it("comes back and opens what was sealed before", () => {
    const sealed = sealAnswer(dataKey, secret, "q1");
    const again = unwrapKey(ring, wrapKey(ring, dataKey, "q1"), "q1");
    expect(again && openAnswer(again, sealed, "q1")).toBe(secret);
  });

  it("names its key first, and outlives a roll", () => {
    const wrapped = wrapKey(ring, dataKey, "q1");
    expect(wrapped.split(".")[0]).toBe(ring.current.kid);
    expect(unwrapKey(parseKeyring(`${second},${first}`, "V"), wrapped, "q1")).toBeDefined();
    expect(unwrapKey(parseKeyring(second, "V"), wrapped, "q1")).toBeUndefined();
  });

  it("belongs to one interaction", () => {
    expect(unwrapKey(ring, wrapKey(ring, dataKey, "q1"), "q2")).toBeUndefined();
  });

  it("cannot be had by sealing an answer, nor an answer by wrapping a key", () => {
    const sealed = sealAnswer(dataKey, "x".repeat(32), "q1");
    expect(unwrapKey(ring, `${ring.current.kid}.${sealed}`, "q1")).toBeUndefined();
  });

  it.each(["", ".", "a.b", "a.b.c", "10 kB ".repeat(2000)])("is not %j", (text) => {
    expect(unwrapKey(ring, text, "q1")).toBeUndefined();
  });
});
