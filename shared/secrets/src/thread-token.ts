import type { Keyring } from "./keyring.ts";
import { mac } from "./mac.ts";

/** What stands for a conversation in subjects and events, where a phone number or a chat's id must not. */
export function threadToken(keyring: Keyring, channel: string, address: string): string {
  return mac(keyring.current, "thread", [channel, address]).toString("base64url");
}
