import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { constantTimeEqual } from "./constant-time-equal.ts";
import { newDataKey, openAnswer, sealAnswer, unwrapKey } from "./data-key.ts";
import { generateKeyring, parseKeyring } from "./keyring.ts";
import { newNonce } from "./nonce.ts";
import { checkReservation, mintReservation, peekReservation } from "./reservation.ts";
import { openSession } from "./session.ts";
import { openPayload, signPayload } from "./signed-payload.ts";
import { mintTicket, openTicket } from "./ticket.ts";

const ring = parseKeyring(generateKeyring(), "V");
const other = parseKeyring(generateKeyring(), "V");
const dataKey = newDataKey();
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const json = fc.jsonValue({ maxDepth: 4 });

/** Texts near a real one: cut, doubled, with characters put in its place. */
function near(real: string) {
  return fc
    .tuple(fc.nat(real.length), fc.nat(3), fc.string({ unit: "binary", maxLength: 3 }))
    .map(([at, cut, put]) => real.slice(0, at) + put + real.slice(at + cut));
}

describe("whatever comes in", () => {
  it("a ticket opens exactly when it is one of ours", () => {
    fc.assert(
      fc.property(id, fc.constantFrom("callback" as const, "form" as const), (subject, purpose) => {
        const nonce = newNonce();
        const ticket = mintTicket(ring, { id: subject, nonce, purpose });
        expect(openTicket(ring, purpose, ticket)).toEqual({ id: subject, nonce, kid: ring.current.kid });
        expect(openTicket(other, purpose, ticket)).toBeUndefined();
      }),
    );
  });

  it("no opener throws, and nothing near a real ticket is one", () => {
    const real = mintTicket(ring, { id: "q1", nonce: newNonce(), purpose: "callback" });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), near(real), fc.string({ unit: "binary" })), (text) => {
        fc.pre(text !== real);
        expect(openTicket(ring, "callback", text)).toBeUndefined();
        expect(checkReservation(ring, "ann", text)).toBeUndefined();
        expect(openSession(ring, text, 0)).toBeUndefined();
        expect(openPayload(ring, "x", text)).toBeUndefined();
        peekReservation(text);
        if (typeof text !== "string") return;
        expect(unwrapKey(ring, text, "q1")).toBeUndefined();
        expect(openAnswer(dataKey, text, "q1")).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it("a reservation is its subject's alone", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(), (subject, stranger, nowMs) => {
        fc.pre(subject !== stranger);
        const made = mintReservation(ring, { subject, nowMs, nonce: newNonce() });
        expect(checkReservation(ring, subject, made.id)).toEqual({
          nonce: made.nonce,
          kid: made.kid,
          expiresAtMs: made.expiresAtMs,
        });
        expect(checkReservation(ring, stranger, made.id)).toBeUndefined();
      }),
    );
  });

  it("what is sealed or signed comes back as it was", () => {
    fc.assert(
      fc.property(json, fc.string(), (value, context) => {
        const text = JSON.stringify(value);
        expect(openAnswer(dataKey, sealAnswer(dataKey, text, context), context)).toBe(text);
        const signed = signPayload(ring, context, { text });
        expect(openPayload(ring, context, signed)).toEqual({ text });
      }),
    );
  });

  it("two byte strings are equal exactly when they are", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (left, right) => {
        expect(constantTimeEqual(left, right)).toBe(Buffer.compare(left, right) === 0);
        expect(constantTimeEqual(left, Uint8Array.from(left))).toBe(true);
      }),
    );
    expect(constantTimeEqual("é", Buffer.from("é"))).toBe(true);
    expect(constantTimeEqual("", "")).toBe(true);
    expect(constantTimeEqual("ab", "abc")).toBe(false);
  });
});
