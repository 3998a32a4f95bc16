import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;
const BASE64URL = /^[A-Za-z0-9_-]*$/;

/** AES-256-GCM as base64url of `iv | tag | ciphertext`. `context` must be the same to open: a box cannot be moved. */
export function seal(key: KeyObject, plaintext: Buffer, context: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context, "utf8"));
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
}

/** Undefined for anything this key did not seal in this context. */
export function open(key: KeyObject, sealed: string, context: string): Buffer | undefined {
  if (!BASE64URL.test(sealed)) return undefined;
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context, "utf8"));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]);
  } catch {
    // `final` throws exactly when the tag does not match, which here is an answer, not a fault.
    return undefined;
  }
}
