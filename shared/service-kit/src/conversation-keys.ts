import type { Bucket } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import {
  conversationKeyring,
  type Keyring,
  newConversationKey,
  openConversationKey,
  sealConversationKey,
} from "@interlude/secrets";
import { z } from "zod";

/**
 * The deployment's one key of conversations, whose tokens and contents outlive every key of a ring: sealed once with
 * each key of the ring that kept it last.
 */
const Kept = z.object({
  /** The first of that ring. */
  current: z.string(),
  sealed: z.record(z.string(), z.string()),
});
type Kept = z.infer<typeof Kept>;

const KEY = "conversation-key";
const MAX_ATTEMPTS = 8;

type Place = Pick<Bucket, "create" | "read" | "replace">;

/**
 * For who begins conversations: makes the key where there is none, and keeps it under the ring as it is now. Where
 * conversations began before there was such a key (`hasBegun`), it is the one that they began with.
 * @throws ServiceFailure `configuration_invalid` where no key of the ring opens it.
 */
export async function keepConversationKeys(
  place: Place,
  ring: Keyring,
  hasBegun: () => Promise<boolean>,
): Promise<Keyring> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const found = await readKept(place);
    if (found === undefined) {
      const key = (await hasBegun()) ? ring.current : newConversationKey();
      if (await place.create(KEY, JSON.stringify(keptUnder(ring, key))))
        return conversationKeyring(key, ring);
      continue;
    }
    const key = opened(found.kept, ring);
    if (key === undefined) throw lost(found.kept);
    if (!isBehind(found.kept, ring)) return conversationKeyring(key, ring);
    const next = JSON.stringify(keptUnder(ring, key));
    if (await place.replace(KEY, next, found.revision)) return conversationKeyring(key, ring);
  }
  throw new ServiceFailure("append_contended", { retry: "later", context: { attempts: MAX_ATTEMPTS } });
}

/**
 * For who reads what was said in them; asked when there is something to read, and kept once it is known.
 * @throws ServiceFailure `secret_missing` where no key of the ring opens it.
 */
export function conversationKeysOf(openPlace: () => Promise<Place>, ring: Keyring): () => Promise<Keyring> {
  let known: Keyring | undefined;
  return async () => {
    if (known !== undefined) return known;
    const found = await readKept(await openPlace());
    // Nobody has begun any since there is such a key.
    if (found === undefined) return ring;
    const key = opened(found.kept, ring);
    if (key === undefined) throw new ServiceFailure("secret_missing", { retry: "later" });
    known = conversationKeyring(key, ring);
    return known;
  };
}

async function readKept(place: Place): Promise<{ kept: Kept; revision: number } | undefined> {
  const found = await place.read(KEY);
  if (found === undefined) return undefined;
  return { kept: Kept.parse(JSON.parse(found.value)), revision: found.revision };
}

function keptUnder(ring: Keyring, key: Keyring["current"]): Kept {
  const sealed = [...ring.keys.values()].map((each): [string, string] => [
    each.kid,
    sealConversationKey(each, key),
  ]);
  return { current: ring.current.kid, sealed: Object.fromEntries(sealed) };
}

function opened({ sealed }: Kept, ring: Keyring): Keyring["current"] | undefined {
  for (const each of Object.values(sealed)) {
    const key = openConversationKey(ring, each);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** A ring that lacks the first key of who kept it last is an older one, and leaves it as it is. */
function isBehind({ current, sealed }: Kept, ring: Keyring): boolean {
  if (!ring.keys.has(current)) return false;
  const kids = Object.keys(sealed);
  return (
    current !== ring.current.kid || kids.length !== ring.keys.size || !kids.every((kid) => ring.keys.has(kid))
  );
}

function lost({ sealed }: Kept): ServiceFailure {
  const kids = Object.keys(sealed).join(", ");
  const message = `INTERLUDE_TICKET_KEYS: conversations are sealed with a key that only ${kids} opens: put it back behind the first, start once, and remove it then`;
  return new ServiceFailure("configuration_invalid", { retry: "never", message });
}
