import type { Json } from "@interlude/kernel";
import { constantTimeEqual } from "./constant-time-equal.ts";
import type { Keyring } from "./keyring.ts";
import { mac } from "./mac.ts";

const SIGNED = /^([A-Za-z0-9_-]{1,16})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

/** `<kid>.<base64url of JSON>.<mac>`: readable, not forgeable, and good for its label alone. */
export function signPayload(keyring: Keyring, label: string, payload: Json): string {
  const body = Buffer.from(JSON.stringify(payload), "utf8").toString("base64url");
  return `${keyring.current.kid}.${body}.${mac(keyring.current, `signed.${label}`, [body]).toString("base64url")}`;
}

/** The payload when this ring signed it under this label; undefined for anything else. Its shape is the caller's to check. */
export function openPayload(keyring: Keyring, label: string, text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  const [, kid, body, given] = SIGNED.exec(text) ?? [];
  const key = kid === undefined ? undefined : keyring.keys.get(kid);
  if (key === undefined || body === undefined || given === undefined) return undefined;
  const expected = mac(key, `signed.${label}`, [body]).toString("base64url");
  if (!constantTimeEqual(given, expected)) return undefined;
  return JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
}
