import { ServiceFailure } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { generateKeyring, parseKeyring } from "./keyring.ts";
import { newNonce } from "./nonce.ts";
import {
  checkReservation,
  mintReservation,
  peekReservation,
  RESERVATION_LIFETIME_MS,
} from "./reservation.ts";
import { mintTicket, openTicket } from "./ticket.ts";

const [first, second] = [generateKeyring(), generateKeyring()];
const ring = parseKeyring(first, "V");
const rolled = parseKeyring(`${second},${first}`, "V");
const nowMs = Date.UTC(2026, 0, 1) + 0.75;
const nonce = newNonce();
const made = mintReservation(ring, { subject: "ann", nowMs, nonce });

describe("a reservation", () => {
  it("works for its subject, for a day, with nothing stored", () => {
    expect(checkReservation(ring, "ann", made.id)).toEqual({
      nonce,
      kid: ring.current.kid,
      expiresAtMs: Date.UTC(2026, 0, 1) + RESERVATION_LIFETIME_MS,
    });
  });

  it("has an id that begins with r_ and is a subject token", () => {
    expect(made.id).toMatch(/^r_[A-Za-z0-9_-]{56}$/);
    expect(made.id.length).toBeLessThanOrEqual(64);
  });

  it.each(["bob", "", "Ann", "ann ", "an\u0301n"])("is nothing to the subject %j", (subject) => {
    expect(checkReservation(ring, subject, made.id)).toBeUndefined();
  });

  it("survives its key's moving back, and names it", () => {
    expect(checkReservation(rolled, "ann", made.id)?.kid).toBe(ring.current.kid);
    expect(checkReservation(parseKeyring(second, "V"), "ann", made.id)).toBeUndefined();
  });

  it("gives the same callback ticket before the ask and at the ask, a key change between them or not", () => {
    const before = mintTicket(ring, { id: made.id, nonce: made.nonce, purpose: "callback", kid: made.kid });
    const checked = checkReservation(rolled, "ann", made.id);
    if (checked === undefined) return expect.fail("did not check");
    const { nonce: again, kid } = checked;
    expect(mintTicket(rolled, { id: made.id, nonce: again, purpose: "callback", kid })).toBe(before);
    expect(openTicket(rolled, "callback", before)).toMatchObject({ id: made.id, nonce });
  });

  it("two of one subject at one moment are two", () => {
    const other = mintReservation(ring, { subject: "ann", nowMs, nonce: newNonce() });
    expect(other.id).not.toBe(made.id);
  });

  it("can be read by the door that has opened its ticket", () => {
    expect(peekReservation(made.id)).toEqual({ nonce, expiresAtMs: made.expiresAtMs });
  });

  it("changed in any one character is nothing", () => {
    for (let at = 2; at < made.id.length; at++) {
      const letter = made.id[at] === "A" ? "B" : "A";
      const changed = made.id.slice(0, at) + letter + made.id.slice(at + 1);
      expect(checkReservation(ring, "ann", changed)).toBeUndefined();
    }
  });

  it.each<[unknown]>([
    ["r_"],
    [`r_${"A".repeat(56)}`],
    [`k_${made.id.slice(2)}`],
    [`${made.id}\n`],
    [""],
    [undefined],
    [{}],
  ])("is not %j", (id) => {
    expect(checkReservation(ring, "ann", id)).toBeUndefined();
  });

  it("is not read from what is not an id of one", () => {
    expect(peekReservation("question-1")).toBeUndefined();
    expect(peekReservation(null)).toBeUndefined();
  });

  it("is never made with a malformed nonce", () => {
    expect(() => mintReservation(ring, { subject: "ann", nowMs, nonce: "x" })).toThrow(ServiceFailure);
  });
});
