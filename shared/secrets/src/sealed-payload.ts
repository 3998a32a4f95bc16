import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import type { Json } from "@interlude/kernel";
import type { Key, Keyring } from "./keyring.ts";
import { open, seal } from "./sealed-box.ts";

const SEALED = /^([A-Za-z0-9_-]{1,16})\.([A-Za-z0-9_-]+)$/;
const KEY_BYTES = 32;

/** `<kid>.<box>`: neither readable nor forgeable, and good for its label alone. */
export function sealPayload(keyring: Keyring, label: string, payload: Json): string {
  const key = keyring.current;
  const plaintext = Buffer.from(JSON.stringify(payload), "utf8");
  return `${key.kid}.${seal(payloadKey(key), plaintext, `payload:${label}`)}`;
}

/** The payload when this ring sealed it under this label; undefined for anything else. Its shape is the caller's to check. */
export function openSealedPayload(keyring: Keyring, label: string, text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  const [, kid, box] = SEALED.exec(text) ?? [];
  const key = kid === undefined ? undefined : keyring.keys.get(kid);
  if (key === undefined || box === undefined) return undefined;
  const plaintext = open(payloadKey(key), box, `payload:${label}`);
  return plaintext === undefined ? undefined : JSON.parse(plaintext.toString("utf8"));
}

/** A ring's keys may be longer than a cipher's, and serve one purpose each; hence a derived one. */
function payloadKey(key: Key): KeyObject {
  const derived = hkdfSync("sha256", key.secret, "", "interlude.v1.payload", KEY_BYTES);
  return createSecretKey(Buffer.from(derived));
}
