import { describe, expect, it } from "vitest";
import { mintClaimId, openClaimId } from "./claim-id.ts";
import { mintClaimToken, openClaimToken } from "./claim-token.ts";
import { generateKeyring, parseKeyring } from "./keyring.ts";
import { mintLink, openSession, sealSession } from "./session.ts";
import { openPayload, signPayload } from "./signed-payload.ts";

const [first, second] = [generateKeyring(), generateKeyring()];
const ring = parseKeyring(first, "V");
const place = { driver: "bot", runToken: "x_run-1", parkToken: "p_set" };
const claimId = mintClaimId(ring, place);
const bearer = { claimId, subject: "ann@example.com; Ünïcode", groups: ["café", "sales"] };
const token = mintClaimToken(ring, bearer);

describe("a claim's id", () => {
  it("says where its claim is to be found, and is another each time", () => {
    expect(openClaimId(ring, claimId)).toEqual(place);
    expect(mintClaimId(ring, place)).not.toBe(claimId);
  });

  it("stands in a path as it is, also at its longest", () => {
    const longest = { driver: "d".repeat(64), runToken: "r".repeat(64), parkToken: "p".repeat(64) };
    const id = mintClaimId(ring, longest);
    expect(encodeURIComponent(id)).toBe(id);
    expect(openClaimId(ring, id)).toEqual(longest);
  });

  it("outlives a key's roll, not its removal", () => {
    expect(openClaimId(parseKeyring(`${second},${first}`, "V"), claimId)).toEqual(place);
    expect(openClaimId(parseKeyring(second, "V"), claimId)).toBeUndefined();
  });

  it("with any part changed is none", () => {
    const parts = claimId.split(".");
    for (const index of parts.keys()) {
      const changed = parts.with(
        index,
        `${parts[index]?.startsWith("A") === true ? "B" : "A"}${parts[index]?.slice(1)}`,
      );
      expect(openClaimId(ring, changed.join("."))).toBeUndefined();
    }
  });

  it.each([
    ["*", "r", "p"],
    ["d", "r.s", "p"],
    ["d", "r", ""],
  ])("is not made of what names no place (%s, %s, %s)", (driver, runToken, parkToken) => {
    expect(() => mintClaimId(ring, { driver, runToken, parkToken })).toThrow();
  });

  it.each<[unknown]>([[""], ["a.b.c.d.e.f"], [undefined], [7], [token], ["a".repeat(10_000)]])(
    "is not %j",
    (text) => {
      expect(openClaimId(ring, text)).toBeUndefined();
    },
  );
});

describe("a claim's token", () => {
  it("says for whom it stands, under which claim, and where that is", () => {
    expect(openClaimToken(ring, token)).toEqual({ ...bearer, place });
  });

  it("is a bearer token by its characters", () => {
    expect(token).toMatch(/^[A-Za-z0-9_.-]+$/);
  });

  it("outlives a key's roll, not its removal", () => {
    expect(openClaimToken(parseKeyring(`${second},${first}`, "V"), token)).toEqual({ ...bearer, place });
    expect(openClaimToken(parseKeyring(second, "V"), token)).toBeUndefined();
  });

  it("cannot be changed to another's", () => {
    const [kid, , mac] = token.split(".");
    const other = Buffer.from(JSON.stringify({ claim: claimId, subject: "root", groups: [] })).toString(
      "base64url",
    );
    expect(openClaimToken(ring, `${kid}.${other}.${mac}`)).toBeUndefined();
  });

  it("is neither a session nor a link, nor is one of them a token", () => {
    const session = { sid: "s", subject: "ann", roles: ["asker" as const], groups: [], expiresAtMs: 1_000 };
    expect(openSession(ring, token, 0)).toBeUndefined();
    expect(openClaimToken(ring, sealSession(ring, session))).toBeUndefined();
    expect(openClaimToken(ring, mintLink(ring, session).token)).toBeUndefined();
    expect(openPayload(ring, "session", token)).toBeUndefined();
  });

  it("is not one of a claim whose id nobody made", () => {
    const forged = { claim: `${claimId}x`, subject: "ann", groups: [] };
    expect(openClaimToken(ring, signPayload(ring, "claim-token", forged))).toBeUndefined();
    expect(openClaimToken(ring, signPayload(ring, "claim-token", { claim: claimId }))).toBeUndefined();
  });

  it.each<[unknown]>([[""], ["a.b.c"], [undefined], [7], [claimId], ["a".repeat(10_000)]])(
    "is not %j",
    (text) => {
      expect(openClaimToken(ring, text)).toBeUndefined();
    },
  );
});
