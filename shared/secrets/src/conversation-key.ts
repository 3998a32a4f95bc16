import { z } from "zod";
import { generateKeyring, type Key, type Keyring, parseKeyring } from "./keyring.ts";
import { openSealedPayload, sealPayload } from "./sealed-payload.ts";

const LABEL = "conversation-key";

const SealedKey = z.object({ kid: z.string(), secret: z.string() });

/** A key that no ring has. */
export function newConversationKey(): Key {
  return parseKeyring(generateKeyring(), LABEL).current;
}

/** To be kept where nobody reads it who has not got `under`. */
export function sealConversationKey(under: Key, { kid, secret }: Key): string {
  const ring = { current: under, keys: new Map([[under.kid, under]]) };
  return sealPayload(ring, LABEL, { kid, secret: secret.export().toString("base64url") });
}

/** Undefined when no key of this ring sealed it. */
export function openConversationKey(keyring: Keyring, sealed: string): Key | undefined {
  const parsed = SealedKey.safeParse(openSealedPayload(keyring, LABEL, sealed));
  return parsed.success ? parseKeyring(`${parsed.data.kid}:${parsed.data.secret}`, LABEL).current : undefined;
}

/** What conversations are named and sealed with; what the ring sealed before there was such a key is opened too. */
export function conversationKeyring(key: Key, ring: Keyring): Keyring {
  return { current: key, keys: new Map([...ring.keys, [key.kid, key]]) };
}
