import { createHash } from "node:crypto";
import { ROLES } from "@interlude/domain";
import { z } from "zod";

/** `sha256` is the hex digest of the key's UTF-8 bytes: the file holds nothing that can be used as a key. */
const ApiKey = z.strictObject({
  id: z.string().min(1).max(128),
  sha256: z.string().regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits"),
  subject: z
    .string()
    .min(1)
    .max(512)
    .refine((name) => !name.startsWith("group:"), "must not begin with group:"),
  roles: z.array(z.enum(ROLES)).min(1),
  groups: z.array(z.string().min(1).max(512)).optional(),
});
export type ApiKey = z.infer<typeof ApiKey>;

const ApiKeysFile = z.array(ApiKey);

export function parseApiKeys(text: string): { ok: true; keys: ApiKey[] } | { ok: false; reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: "is not JSON" };
  }
  const parsed = ApiKeysFile.safeParse(value);
  return parsed.success
    ? { ok: true, keys: parsed.data }
    : { ok: false, reason: z.prettifyError(parsed.error) };
}

export function sha256Hex(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

const marks = new WeakMap<ApiKey, string>();

/** Tells a key from what it becomes: with another secret, subject, role or group it is another one. */
export function keyMark(key: ApiKey): string {
  const known = marks.get(key);
  if (known !== undefined) return known;
  const { id, sha256, subject, roles, groups = [] } = key;
  const told = JSON.stringify([id, sha256.toLowerCase(), subject, roles.toSorted(), groups.toSorted()]);
  const mark = createHash("sha256").update(told, "utf8").digest("base64url");
  marks.set(key, mark);
  return mark;
}

export type KeyState = { keys: () => KeyRegistry; denied: () => ReadonlySet<string> };

/**
 * What a key made lives no longer than the key, and with no more than it gave; what no key made (a token's
 * session) does not depend on one.
 */
export function isKeyGood(
  { keyId, keyMark: mark }: { keyId?: string; keyMark?: string },
  { keys, denied }: KeyState,
): boolean {
  if (keyId === undefined) return true;
  if (denied().has(keyId)) return false;
  for (const key of keys().values()) {
    if (key.id === keyId && keyMark(key) === mark) return !denied().has(key.subject);
  }
  return false;
}

/** Keys by digest: a look-up by hash takes no time that depends on how much of a guess is right. */
export type KeyRegistry = ReadonlyMap<string, ApiKey>;

export function keyRegistry(keys: readonly ApiKey[]): KeyRegistry {
  return new Map(keys.map((key) => [key.sha256.toLowerCase(), key]));
}
