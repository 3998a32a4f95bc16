import { subtleCrypto } from "./subtle-crypto.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two = 0, three = 0] = bytes.subarray(at, at + 3);
    const bits = (one << 16) | (two << 8) | three;
    const digits = Math.min(4, bytes.length - at + 1);
    for (let digit = 0; digit < digits; digit += 1) text += ALPHABET[(bits >> (18 - 6 * digit)) & 63] ?? "";
  }
  return text;
}

/**
 * An id that says the same for the same parts, in the alphabet of ids. The prefix is none of those that the service
 * keeps for itself.
 */
export async function derivedId(...parts: readonly unknown[]): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(parts));
  return `a_${base64url(new Uint8Array(await subtleCrypto().digest("SHA-256", text)))}`;
}
