import { describe, expect, it } from "vitest";
import { generateKeyring, parseKeyring } from "./keyring.ts";
import { mintLink, openLink, openSession, sealSession, type Session } from "./session.ts";
import { openPayload, signPayload } from "./signed-payload.ts";

const [first, second] = [generateKeyring(), generateKeyring()];
const ring = parseKeyring(first, "V");
const session: Session = {
  sid: "s1",
  subject: "ann@example.com; Ünïcode",
  roles: ["answerer", "operator"],
  groups: ["group:café"],
  keyId: "key-1",
  keyMark: "mark",
  expiresAtMs: 1_000,
};

describe("a session", () => {
  it("comes back whole until it ends", () => {
    expect(openSession(ring, sealSession(ring, session), 999)).toEqual(session);
    expect(openSession(ring, sealSession(ring, session), 1_000)).toBeUndefined();
  });

  it("without an API key behind it has none afterwards", () => {
    const { keyId: _, keyMark: __, ...plain } = session;
    expect(openSession(ring, sealSession(ring, plain), 0)).toEqual(plain);
  });

  it("is a cookie value without characters that cookies forbid", () => {
    expect(sealSession(ring, session)).toMatch(/^[A-Za-z0-9_.-]+$/);
  });

  it("outlives a key's roll, not its removal", () => {
    const sealed = sealSession(ring, session);
    expect(openSession(parseKeyring(`${second},${first}`, "V"), sealed, 0)).toEqual(session);
    expect(openSession(parseKeyring(second, "V"), sealed, 0)).toBeUndefined();
  });

  it("too large for a browser to keep is not made", () => {
    const groups = Array.from({ length: 400 }, (_, index) => `department-${index}`);
    expect(sealSession(ring, { ...session, groups })).toBeUndefined();
  });

  it("cannot be changed", () => {
    const [kid, , mac] = (sealSession(ring, session) ?? "").split(".");
    const body = Buffer.from(JSON.stringify({ ...session, subject: "root" })).toString("base64url");
    expect(openSession(ring, `${kid}.${body}.${mac}`, 0)).toBeUndefined();
  });

  it("is not what was signed in another shape, or for another purpose", () => {
    expect(openSession(ring, signPayload(ring, "session", { sid: "s" }), 0)).toBeUndefined();
    expect(openSession(ring, signPayload(ring, "session", null), 0)).toBeUndefined();
    expect(openSession(ring, mintLink(ring, session).token, 0)).toBeUndefined();
    expect(openLink(ring, sealSession(ring, session), 0)).toBeUndefined();
  });

  it.each<[unknown]>([[""], ["a.b.c"], ["..."], [undefined], [7], ["a".repeat(10_000)]])(
    "is not %j",
    (text) => {
      expect(openSession(ring, text, 0)).toBeUndefined();
    },
  );
});

describe("a one-time link", () => {
  it("comes back with the mark by which its use is recorded", () => {
    const { sid: _, ...identity } = session;
    const { token, jti } = mintLink(ring, identity);
    expect(openLink(ring, token, 999)).toEqual({ ...identity, jti });
    expect(openLink(ring, token, 1_000)).toBeUndefined();
  });

  it("has a mark of its own", () => {
    expect(mintLink(ring, session).jti).not.toBe(mintLink(ring, session).jti);
  });
});

describe("a signed payload", () => {
  it("opens under its label alone", () => {
    const text = signPayload(ring, "claim", { run: "r", list: [1, null, "é"] });
    expect(openPayload(ring, "claim", text)).toEqual({ run: "r", list: [1, null, "é"] });
    expect(openPayload(ring, "cursor", text)).toBeUndefined();
  });
});
