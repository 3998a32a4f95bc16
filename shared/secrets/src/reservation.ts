import { ServiceFailure } from "@interlude/kernel";
import { constantTimeEqual } from "./constant-time-equal.ts";
import type { Key, Keyring } from "./keyring.ts";
import { mac } from "./mac.ts";
import { isNonce, NONCE_BYTES } from "./nonce.ts";

/**
 * A reservation is stored nowhere; its id proves itself: `r_` and base64url of
 * `expiry (6 bytes of ms) | nonce (16) | mac (20)`. 42 bytes leave no spare bits, so an id has one spelling,
 * and its 58 characters fit a subject token. The subject is under the mac only: for others the id is nothing.
 */
export type Reservation = {
  readonly id: string;
  readonly nonce: string;
  /** The key that signed it, and so the one that its callback ticket is made with. */
  readonly kid: string;
  readonly expiresAtMs: number;
};

export const RESERVATION_LIFETIME_MS = 24 * 60 * 60 * 1000;

const EXPIRY_BYTES = 6;
const MAC_BYTES = 20;
const HEAD_BYTES = EXPIRY_BYTES + NONCE_BYTES;
const ID = /^r_([A-Za-z0-9_-]{56})$/;

export function mintReservation(
  keyring: Keyring,
  { subject, nowMs, nonce }: { subject: string; nowMs: number; nonce: string },
): Reservation {
  if (!isNonce(nonce)) {
    throw new ServiceFailure("invariant_broken", {
      retry: "never",
      message: "a reservation's nonce is malformed",
    });
  }
  const expiresAtMs = Math.trunc(nowMs) + RESERVATION_LIFETIME_MS;
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(expiresAtMs, 0, EXPIRY_BYTES);
  head.set(Buffer.from(nonce, "base64url"), EXPIRY_BYTES);
  const proof = proofOf(keyring.current, subject, head);
  const id = `r_${Buffer.concat([head, proof]).toString("base64url")}`;
  return { id, nonce, kid: keyring.current.kid, expiresAtMs };
}

/** What the id says when this server made it for this subject; whether it has run out is the caller's clock's word. */
export function checkReservation(
  keyring: Keyring,
  subject: string,
  id: unknown,
): Omit<Reservation, "id"> | undefined {
  const parts = take(id);
  if (parts === undefined) return undefined;
  for (const key of keyring.keys.values()) {
    if (constantTimeEqual(parts.proof, proofOf(key, subject, parts.head))) {
      return { ...read(parts.head), kid: key.kid };
    }
  }
  return undefined;
}

/**
 * Reads an id without proving it. Only for the callback door, which knows no subject: the ticket around the id
 * has been opened before, and tickets of such ids are made for reservations alone.
 */
export function peekReservation(id: unknown): { nonce: string; expiresAtMs: number } | undefined {
  const parts = take(id);
  return parts === undefined ? undefined : read(parts.head);
}

function take(id: unknown): { head: Buffer; proof: Buffer } | undefined {
  const [, encoded] = (typeof id === "string" ? ID.exec(id) : undefined) ?? [];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, "base64url");
  return { head: bytes.subarray(0, HEAD_BYTES), proof: bytes.subarray(HEAD_BYTES) };
}

function read(head: Buffer): { nonce: string; expiresAtMs: number } {
  return {
    nonce: head.subarray(EXPIRY_BYTES).toString("base64url"),
    expiresAtMs: head.readUIntBE(0, EXPIRY_BYTES),
  };
}

function proofOf(key: Key, subject: string, head: Buffer): Buffer {
  return mac(key, "reservation", [subject, head.toString("base64url")]).subarray(0, MAC_BYTES);
}
