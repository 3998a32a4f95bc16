import { createHmac } from "node:crypto";
import { ServiceFailure } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { generateKeyring, parseKeyring } from "./keyring.ts";
import { newNonce } from "./nonce.ts";
import { mintTicket, openTicket } from "./ticket.ts";

const [first, second] = [generateKeyring(), generateKeyring()];
const ring = parseKeyring(first, "V");
const rolled = parseKeyring(`${second},${first}`, "V");
const nonce = newNonce();
const ticket = mintTicket(ring, { id: "question-1", nonce, purpose: "callback" });

describe("a ticket", () => {
  it("opens to what it was made from", () => {
    expect(openTicket(ring, "callback", ticket)).toEqual({ id: "question-1", nonce, kid: ring.current.kid });
  });

  it("is the same each time it is made", () => {
    expect(mintTicket(ring, { id: "question-1", nonce, purpose: "callback" })).toBe(ticket);
  });

  it("has a fixed form over versions: an upgrade must not end the tickets that are out", () => {
    const key = Buffer.alloc(32, 1);
    const fixed = parseKeyring(`k1:${key.toString("base64url")}`, "V");
    const parts = ["interlude.v1", "ticket.callback", "q1", "A".repeat(22)];
    const expected = createHmac("sha256", key).update(parts.map((part) => `${part.length}:${part}`).join(""));
    expect(mintTicket(fixed, { id: "q1", nonce: "A".repeat(22), purpose: "callback" })).toBe(
      `k1.q1.${"A".repeat(22)}.${expected.digest("base64url")}`,
    );
  });

  it("opens after its key has moved back, and not after it has left", () => {
    expect(openTicket(rolled, "callback", ticket)?.id).toBe("question-1");
    expect(openTicket(parseKeyring(second, "V"), "callback", ticket)).toBeUndefined();
  });

  it("is made again with the key that the question recorded", () => {
    const again = { id: "question-1", nonce, purpose: "callback", kid: ring.current.kid } as const;
    expect(mintTicket(rolled, again)).toBe(ticket);
  });

  it("made for a key that has left is signed by the current one", () => {
    const other = parseKeyring(second, "V");
    const made = mintTicket(other, { id: "q", nonce, purpose: "callback", kid: ring.current.kid });
    expect(openTicket(other, "callback", made)?.kid).toBe(other.current.kid);
  });

  it("of one purpose is nothing for the other", () => {
    expect(openTicket(ring, "form", ticket)).toBeUndefined();
    expect(openTicket(ring, "form", mintTicket(ring, { id: "n", nonce, purpose: "form" }))?.id).toBe("n");
  });

  it("fits ids of 64 characters, dashes and underscores included", () => {
    const id = `${"-_".repeat(31)}Zz`;
    expect(openTicket(ring, "callback", mintTicket(ring, { id, nonce, purpose: "callback" }))?.id).toBe(id);
  });

  const [kid, id, , mac] = ticket.split(".");
  it.each<[string, unknown]>([
    ["A-GET-3: an interaction's id", "question-1"],
    ["another id", `${kid}.question-2.${nonce}.${mac}`],
    ["another nonce", `${kid}.${id}.${newNonce()}.${mac}`],
    ["another key's id", ticket.replace(ring.current.kid, rolled.current.kid)],
    ["a mac cut short", ticket.slice(0, -1)],
    ["a mac with one more", `${ticket}A`],
    ["a trailing newline", `${ticket}\n`],
    ["padding", `${ticket}=`],
    ["10 kB of 'a'", "a".repeat(10_240)],
    ["a lone surrogate", `${ticket}\ud800`],
    ["full-width dots", ticket.replaceAll(".", "\uff0e")],
    ["nothing", ""],
    ["dots", "..."],
    ["a prototype's name as the key", ticket.replace(ring.current.kid, "__proto__")],
    ["undefined", undefined],
    ["a number", 7],
    ["a list", [ticket]],
    ["an object that turns into it", { toString: () => ticket }],
  ])("forged as %s does not open", (_, forged) => {
    expect(openTicket(ring, "callback", forged)).toBeUndefined();
  });

  it("whose mac has another spelling of the same bytes does not open", () => {
    // 32 bytes leave two spare bits in the last of 43 characters: three more letters decode alike.
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const opened = Array.from(alphabet).filter((last) =>
      openTicket(ring, "callback", ticket.slice(0, -1) + last),
    );
    expect(opened).toEqual([ticket.slice(-1)]);
  });

  it.each([
    ["a dot in the id", { id: "a.b", nonce }],
    ["an empty id", { id: "", nonce }],
    ["an id of 65", { id: "a".repeat(65), nonce }],
    ["a short nonce", { id: "a", nonce: "abc" }],
    ["a nonce with spare bits", { id: "a", nonce: "A".repeat(21) + "B" }],
  ])("with %s is never made", (_, parts) => {
    expect(() => mintTicket(ring, { ...parts, purpose: "callback" })).toThrow(ServiceFailure);
  });
});
