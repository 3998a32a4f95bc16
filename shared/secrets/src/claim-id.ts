import { ServiceFailure } from "@interlude/kernel";
import { constantTimeEqual } from "./constant-time-equal.ts";
import type { Keyring } from "./keyring.ts";
import { mac } from "./mac.ts";
import { isNonce, newNonce } from "./nonce.ts";

/** Where a claim's park lives, by tokens that can stand in a subject; what they mean is their maker's to know. */
export type ClaimPlace = Readonly<{ driver: string; runToken: string; parkToken: string }>;

const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;
const CLAIM_ID =
  /^([A-Za-z0-9_-]{1,16})\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/**
 * A fresh id, `<kid>.<driver>.<run>.<park>.<nonce>.<mac>`: it says where its claim is to be found, so that a door
 * which stores nothing finds it, and nobody reads a run by an id of his own making.
 */
export function mintClaimId(keyring: Keyring, place: ClaimPlace): string {
  const parts = [place.driver, place.runToken, place.parkToken];
  if (!parts.every((part) => TOKEN.test(part))) {
    throw new ServiceFailure("invariant_broken", { retry: "never", message: "a claim's place is malformed" });
  }
  const said = [...parts, newNonce()];
  const { current } = keyring;
  return [current.kid, ...said, mac(current, "claim", said).toString("base64url")].join(".");
}

/** The place that an id names when this ring made it; undefined for anything else. Whether it holds, the log says. */
export function openClaimId(keyring: Keyring, text: unknown): ClaimPlace | undefined {
  if (typeof text !== "string") return undefined;
  const [, kid, driver, runToken, parkToken, nonce, given] = CLAIM_ID.exec(text) ?? [];
  if (kid === undefined || driver === undefined || runToken === undefined) return undefined;
  if (parkToken === undefined || nonce === undefined || given === undefined) return undefined;
  const key = keyring.keys.get(kid);
  if (key === undefined || !isNonce(nonce)) return undefined;
  const expected = mac(key, "claim", [driver, runToken, parkToken, nonce]).toString("base64url");
  return constantTimeEqual(given, expected) ? { driver, runToken, parkToken } : undefined;
}
