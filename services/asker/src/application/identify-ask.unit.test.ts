import { idempotentId } from "@interlude/kernel";
import { generateKeyring, mintReservation, newNonce, parseKeyring } from "@interlude/secrets";
import { describe, expect, it } from "vitest";
import { identifyAsk } from "./identify-ask.ts";

const keyring = parseKeyring(generateKeyring(), "KEYS");
const identify = (bodyId: string | undefined, idempotencyKey?: string, subject = "ann") =>
  identifyAsk({ subject, bodyId, idempotencyKey }, keyring, 0);

describe("a question's id", () => {
  it("is new when none is given", () => {
    const identified = identify(undefined);
    expect(identified).toMatchObject({ ok: true, isGiven: false });
  });

  it("is the caller's, or what its key stands for", () => {
    expect(identify("order-88120")).toMatchObject({ ok: true, id: "order-88120", isGiven: true });
    expect(identify(undefined, "key")).toMatchObject({
      ok: true,
      id: idempotentId("ann", "key"),
      isGiven: true,
    });
  });

  it.each([
    ["both", "order-88120", "key"],
    ["an empty key", undefined, ""],
    ["a key too long", undefined, "x".repeat(256)],
    ["one that begins like a key's", "k_order-88120", undefined],
    ["one that begins like a hash", "x_order-88120", undefined],
    ["a reserved word", "callback", undefined],
    ["A-SUB-1: one with a space and wildcards", "a.b *>", undefined],
  ])("is refused: %s", (_, id, key) => {
    expect(identify(id, key)).toMatchObject({ ok: false, kind: "invalid" });
  });

  it("that was reserved works for its subject only", () => {
    const { id, nonce, kid } = mintReservation(keyring, { subject: "ann", nowMs: 0, nonce: newNonce() });
    expect(identify(id)).toMatchObject({ ok: true, id, reservation: { kid, nonce } });
    expect(identify(id, undefined, "eve")).toEqual({ ok: false, kind: "not_found" });
    expect(identify("r_made-up")).toEqual({ ok: false, kind: "not_found" });
  });
});
