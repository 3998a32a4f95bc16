import { randomUUID } from "node:crypto";
import type { Role } from "@interlude/domain";
import type { Bucket } from "@interlude/event-log";
import type { Clock } from "@interlude/kernel";
import { type Keyring, mintLink, openLink, sealSession } from "@interlude/secrets";
import { isKeyGood, keyMark, type KeyState, sha256Hex } from "@interlude/service-kit";

export type Person = {
  subject: string;
  roles: readonly Role[];
  groups: readonly string[];
  /** The key that signs in, or that made the link: what it opens ends with it. */
  keyId?: string;
  keyMark?: string;
};

export type SignInDeps = KeyState & { sessions: Bucket; keyring: Keyring; clock: Clock };

const LINK_LIFETIME_MS = 600_000;
export const SESSION_LIFETIME_MS = 30 * 86_400_000;

/** A one-time link's token; whoever posts it first is signed in as `person`. */
export function makeLink(
  { keyring, clock }: SignInDeps,
  person: Person,
): { token: string; expiresAtMs: number } {
  const expiresAtMs = clock.nowMs() + LINK_LIFETIME_MS;
  const { token } = mintLink(keyring, { ...person, expiresAtMs });
  return { token, expiresAtMs };
}

export type SignedIn = { person: Person; cookie: string };

/** `undefined` for a link that is forged, too old, used, or made by a key that is gone. */
export async function signInByLink(deps: SignInDeps, token: string): Promise<SignedIn | undefined> {
  const link = openLink(deps.keyring, token, deps.clock.nowMs());
  if (link === undefined || isDenied(deps, link)) return undefined;
  // One of many callers creates the mark: a link signs in once, on whichever replica.
  if (!(await deps.sessions.create(`link.${link.jti}`, "used"))) return undefined;
  return signIn(deps, link);
}

export function signInByKey(deps: SignInDeps, secret: string): SignedIn | undefined {
  const key = deps.keys().get(sha256Hex(secret));
  if (key === undefined) return undefined;
  const { subject, roles, groups = [] } = key;
  const person = { subject, roles, groups, keyId: key.id, keyMark: keyMark(key) };
  return isDenied(deps, person) ? undefined : signIn(deps, person);
}

function isDenied(deps: SignInDeps, person: Person): boolean {
  return deps.denied().has(person.subject) || !isKeyGood(person, deps);
}

function signIn(deps: SignInDeps, person: Person): SignedIn | undefined {
  return signInUntil(deps, person, deps.clock.nowMs() + SESSION_LIFETIME_MS);
}

/** `undefined` when browsers would not keep the cookie: hundreds of groups. */
export function signInUntil(
  { keyring, clock }: SignInDeps,
  person: Person,
  untilMs: number,
): SignedIn | undefined {
  const expiresAtMs = Math.min(untilMs, clock.nowMs() + SESSION_LIFETIME_MS);
  const cookie = sealSession(keyring, { ...person, sid: randomUUID(), expiresAtMs });
  return cookie === undefined ? undefined : { person, cookie };
}
