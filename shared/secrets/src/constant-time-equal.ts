import { timingSafeEqual } from "node:crypto";

/** Compares bytes in constant time. Lengths are compared first: they are no secret, and node throws when they differ. */
export function constantTimeEqual(left: string | Uint8Array, right: string | Uint8Array): boolean {
  const a = typeof left === "string" ? Buffer.from(left, "utf8") : left;
  const b = typeof right === "string" ? Buffer.from(right, "utf8") : right;
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
