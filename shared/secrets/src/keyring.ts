import { createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import { ServiceFailure } from "@interlude/kernel";

/** A key is a KeyObject, not bytes: printing or serialising one shows nothing of it. */
export type Key = { readonly kid: string; readonly secret: KeyObject };

/** The first key makes, all of them open; so a key rolls without a moment at which something valid is refused. */
export type Keyring = { readonly current: Key; readonly keys: ReadonlyMap<string, Key> };

const KID = /^[A-Za-z0-9_-]{1,16}$/;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
const MINIMUM_KEY_BYTES = 32;

/** Reads `kid:base64url,kid:base64url`. A fault names the variable and the entry's place, never its text. */
export function parseKeyring(text: string, nameOfVariable: string): Keyring {
  const keys = new Map<string, Key>();
  let current: Key | undefined;
  for (const [index, entry] of text.split(",").entries()) {
    const key = parseEntry(entry.trim(), (reason) => unusable(nameOfVariable, index + 1, reason));
    if (keys.has(key.kid)) throw unusable(nameOfVariable, index + 1, `repeats the key id "${key.kid}"`);
    keys.set(key.kid, key);
    current ??= key;
  }
  if (current === undefined) throw unusable(nameOfVariable, 1, "is missing");
  return { current, keys };
}

/** The text of a fresh ring of one key, to be kept and given to `parseKeyring`. */
export function generateKeyring(): string {
  return `k${randomBytes(6).toString("base64url")}:${randomBytes(MINIMUM_KEY_BYTES).toString("base64url")}`;
}

function parseEntry(entry: string, fault: (reason: string) => ServiceFailure): Key {
  const colon = entry.indexOf(":");
  if (colon < 0) throw fault("is not of the form kid:base64url");
  const kid = entry.slice(0, colon);
  const encoded = entry.slice(colon + 1).replace(/={1,2}$/, "");
  if (!KID.test(kid)) throw fault("has a key id that is not 1 to 16 of A-Z a-z 0-9 _ -");
  const bytes = Buffer.from(encoded, "base64url");
  // Buffer skips what it cannot read; encoding again shows whether every character counted.
  if (!BASE64URL.test(encoded) || bytes.toString("base64url") !== encoded) {
    throw fault("has a key that is not base64url");
  }
  if (bytes.length < MINIMUM_KEY_BYTES) {
    throw fault(`has a key of ${bytes.length} bytes; at least ${MINIMUM_KEY_BYTES} are needed`);
  }
  return { kid, secret: createSecretKey(bytes) };
}

function unusable(nameOfVariable: string, place: number, reason: string): ServiceFailure {
  return new ServiceFailure("configuration_invalid", {
    retry: "never",
    message: `${nameOfVariable}: entry ${place} ${reason}`,
    context: { variable: nameOfVariable, entry: place },
  });
}
