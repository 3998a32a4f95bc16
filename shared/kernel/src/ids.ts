import { createHash, randomUUID } from "node:crypto";

const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;
const DERIVED = /^(k_|r_|x_)/;

/** UUIDv7 (RFC 9562): sorts by time, so that fresh interactions share the log's warm blocks. */
export function uuidV7(nowMs: number): string {
  const time = Math.trunc(nowMs).toString(16).padStart(12, "0");
  // A version 4 UUID has its randomness from a pool, and the variant where version 7 has it too.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

export function sha256Base64Url(...parts: readonly string[]): string {
  const hash = createHash("sha256");
  // Each part is preceded by its length, so that ("ab","c") and ("a","bc") differ.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest("base64url");
}

/** A subject token for any text: itself when it is safe and cannot be taken for a derived one, else its hash. */
export function subjectToken(text: string): string {
  return TOKEN.test(text) && !DERIVED.test(text) ? text : `x_${sha256Base64Url(text)}`;
}

/** The id an `Idempotency-Key` stands for; scoped to the subject, so that two askers never meet in one id. */
export function idempotentId(subject: string, key: string): string {
  return `k_${sha256Base64Url(subject, key)}`;
}

export const PARTITIONS = 16;

/** FNV-1a over the text's UTF-8 bytes: stable across processes and versions, which a partition must be. */
export function partitionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, "utf8")) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % PARTITIONS;
}
