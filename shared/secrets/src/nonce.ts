import { randomBytes } from "node:crypto";

export const NONCE_BYTES = 16;

// 16 bytes are 22 characters, the last of which carries two bits: only four letters are canonical there.
const NONCE = /^[A-Za-z0-9_-]{21}[AQgw]$/;

/** Made with each ask or reservation and kept in `asked`: it ties tickets to that one question, not to its id. */
export function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString("base64url");
}

export function isNonce(text: string): boolean {
  return NONCE.test(text);
}
