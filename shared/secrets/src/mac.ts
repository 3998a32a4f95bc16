import { createHmac } from "node:crypto";
import type { Key } from "./keyring.ts";

/**
 * HMAC-SHA256 over labelled parts. The label separates purposes under one key; each part is preceded by its
 * length, so that ("ab", "c") and ("a", "bc") differ.
 */
export function mac(key: Key, label: string, parts: readonly string[]): Buffer {
  const hmac = createHmac("sha256", key.secret);
  for (const part of ["interlude.v1", label, ...parts]) {
    const bytes = Buffer.from(part, "utf8");
    hmac.update(`${bytes.length}:`).update(bytes);
  }
  return hmac.digest();
}
