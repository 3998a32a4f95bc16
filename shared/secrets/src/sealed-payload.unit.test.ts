import { describe, expect, it } from "vitest";
import { generateKeyring, parseKeyring } from "./keyring.ts";
import { openSealedPayload, sealPayload } from "./sealed-payload.ts";

const ring = (text = generateKeyring()) => parseKeyring(text, "KEYS");
const payload = { state: "s", nested: ["ü", 1, null] };

describe("a sealed payload", () => {
  it("comes back as it was, under its ring and label", () => {
    const keyring = ring();
    expect(openSealedPayload(keyring, "a", sealPayload(keyring, "a", payload))).toEqual(payload);
  });

  it("shows nothing of what is in it, and is never the same twice", () => {
    const keyring = ring();
    const sealed = [sealPayload(keyring, "a", "plain"), sealPayload(keyring, "a", "plain")];
    expect(new Set(sealed).size).toBe(2);
    for (const text of sealed) {
      expect(Buffer.from(text.split(".")[1] ?? "", "base64url").toString("latin1")).not.toContain("plain");
    }
  });

  it("opens with a key that has been rolled, and with no other ring or label", () => {
    const [old, fresh] = [generateKeyring(), generateKeyring()];
    const sealed = sealPayload(ring(old), "a", payload);
    expect(openSealedPayload(ring(`${fresh},${old}`), "a", sealed)).toEqual(payload);
    expect(openSealedPayload(ring(fresh), "a", sealed)).toBeUndefined();
    expect(openSealedPayload(ring(old), "b", sealed)).toBeUndefined();
  });

  it("is refused with any character changed, cut or added", () => {
    const keyring = ring();
    const sealed = sealPayload(keyring, "a", payload);
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === "A" ? "B" : "A";
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
      // The last letter of base64 may carry bits that are none of the bytes'.
      if (at < sealed.length - 1) expect(openSealedPayload(keyring, "a", changed)).toBeUndefined();
    }
    for (const text of [sealed.slice(0, -4), `${sealed}AAAA`, "", ".", "k.", undefined, 7]) {
      expect(openSealedPayload(keyring, "a", text)).toBeUndefined();
    }
  });
});
