import { createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from "node:crypto";
import type { Key, Keyring } from "./keyring.ts";
import { open, seal } from "./sealed-box.ts";

/** The key of one interaction's sensitive values. Whoever deletes its wrapped form shreds them. */
export type DataKey = KeyObject;

const DATA_KEY_BYTES = 32;
const WRAPPED = /^([A-Za-z0-9_-]{1,16})\.([A-Za-z0-9_-]+)$/;

export function newDataKey(): DataKey {
  return createSecretKey(randomBytes(DATA_KEY_BYTES));
}

/** `<kid>.<box>`, bound to the interaction: under another id it does not open. */
export function wrapKey(keyring: Keyring, dataKey: DataKey, id: string): string {
  const key = keyring.current;
  return `${key.kid}.${seal(wrappingKey(key), dataKey.export(), `data-key:${id}`)}`;
}

/** Undefined when no key of this ring wrapped it for this interaction. */
export function unwrapKey(keyring: Keyring, wrapped: string, id: string): DataKey | undefined {
  const [, kid, box] = WRAPPED.exec(wrapped) ?? [];
  const key = kid === undefined ? undefined : keyring.keys.get(kid);
  if (key === undefined || box === undefined) return undefined;
  const bytes = open(wrappingKey(key), box, `data-key:${id}`);
  return bytes?.length === DATA_KEY_BYTES ? createSecretKey(bytes) : undefined;
}

export function sealAnswer(dataKey: DataKey, plaintextJson: string, id: string): string {
  return seal(dataKey, Buffer.from(plaintextJson, "utf8"), `answer:${id}`);
}

/** The JSON text that was sealed for this interaction, or undefined: another key, another id, or damage. */
export function openAnswer(dataKey: DataKey, sealed: string, id: string): string | undefined {
  return open(dataKey, sealed, `answer:${id}`)?.toString("utf8");
}

/**
 * Tells two texts of one interaction apart without telling anything of either: keyed, so that no guess can be
 * tried against it once the key is deleted.
 */
export function digestUnder(dataKey: DataKey, purpose: string, text: string, id: string): string {
  const derived = hkdfSync("sha256", dataKey, "", "interlude.v1.digest", DATA_KEY_BYTES);
  return createHmac("sha256", Buffer.from(derived)).update(`${purpose}:${id}\n${text}`).digest("base64url");
}

/** A ring's keys may be longer than a cipher's, and serve one purpose each; hence a derived one. */
function wrappingKey(key: Key): KeyObject {
  const derived = hkdfSync("sha256", key.secret, "", "interlude.v1.wrap", DATA_KEY_BYTES);
  return createSecretKey(Buffer.from(derived));
}
