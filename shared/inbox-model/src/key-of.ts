import { sha256Base64Url } from "@interlude/kernel";

/** Two of these fit an index entry of Postgres (2,704 bytes), which a subject and an audience of 512 characters may not. */
const MAX_KEY_BYTES = 512;
const HASHED = "#";

/**
 * The form in which names are stored and compared: themselves while short, else their hash; the item keeps
 * the name in full. What could be taken for a hash is hashed too, so that no name stands for another.
 */
export function keyOf(name: string): string {
  const isPlain =
    !name.startsWith(HASHED) && !name.includes("\u0000") && Buffer.byteLength(name) <= MAX_KEY_BYTES;
  return isPlain ? name : `${HASHED}${sha256Base64Url(name)}`;
}

/** A chat, without saying whose. */
export function conversationKey(channel: string, address: string): string {
  return sha256Base64Url(`${channel}\n${address}`);
}
