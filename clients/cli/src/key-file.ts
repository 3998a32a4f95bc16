import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { InterludeError } from "@interlude/sdk";
import { z } from "zod";

export const ROLES = ["asker", "answerer", "operator"] as const;

const Entry = z.looseObject({
  id: z.string(),
  sha256: z.string(),
  subject: z.string(),
  roles: z.array(z.string()),
  groups: z.array(z.string()).optional(),
});
export type KeyEntry = z.infer<typeof Entry>;

export type NewKey = Readonly<{
  id?: string | undefined;
  subject: string;
  roles: readonly string[];
  groups?: readonly string[] | undefined;
}>;

function refusal(detail: string): InterludeError {
  return new InterludeError({ code: "validation_failed", detail });
}

export function readKeys(path: string): KeyEntry[] {
  if (!existsSync(path)) return [];
  try {
    return z.array(Entry).parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw refusal(`${path} is not a file of API keys; it has not been touched`);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** The new content's own file is the lock: who creates it may read, change and rename. */
function openNew(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw refusal(`${path} cannot be written`);
    throw refusal(`another change is under way; where it is not, remove ${path}`);
  }
}

/** Readers see the old list or the new one, never half of one, whatever happens in between. */
function change<T>(path: string, edit: (keys: KeyEntry[]) => { keys: KeyEntry[]; result: T }): T {
  const beside = `${path}.new`;
  const file = openNew(beside);
  let isOpen = true;
  try {
    const { keys, result } = edit(readKeys(path));
    writeSync(file, `${JSON.stringify(keys, null, 2)}\n`);
    fsyncSync(file);
    closeSync(file);
    isOpen = false;
    renameSync(beside, path);
    return result;
  } catch (error) {
    if (isOpen) closeSync(file);
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Makes a key and stores its digest only: the key itself is in the returned value and nowhere else. */
export function createKey(path: string, wanted: NewKey): { id: string; key: string } {
  const key = `il_${randomBytes(32).toString("base64url")}`;
  const id = wanted.id ?? `key_${randomBytes(6).toString("hex")}`;
  const entry: KeyEntry = {
    id,
    sha256: createHash("sha256").update(key, "utf8").digest("hex"),
    subject: wanted.subject,
    roles: [...wanted.roles],
    ...(wanted.groups === undefined || wanted.groups.length === 0 ? {} : { groups: [...wanted.groups] }),
  };
  return change(path, (keys) => {
    if (keys.some((known) => known.id === id)) throw refusal(`there is a key ${id} already`);
    return { keys: [...keys, entry], result: { id, key } };
  });
}

export function revokeKey(path: string, id: string): void {
  change(path, (keys) => {
    const left = keys.filter((known) => known.id !== id);
    if (left.length === keys.length)
      throw new InterludeError({ code: "not_found", detail: `there is no key ${id}` });
    return { keys: left, result: undefined };
  });
}
