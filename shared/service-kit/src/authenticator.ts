import { openSession, type Keyring, type Session } from "@interlude/secrets";
import type { Clock } from "@interlude/kernel";
import { type ApiKey, type KeyRegistry, sha256Hex } from "./api-keys.ts";
import type { Authenticator, Credential } from "./credentials.ts";

/** Verifies a JWT; `undefined` when it is not one of ours or not valid now. */
export type TokenVerifier = (
  token: string,
) => Promise<
  { subject: string; roles: Credential["roles"]; groups: string[]; expiresAtMs: number } | undefined
>;

export type AuthenticatorDeps = {
  /** Read at each request, so that a changed file counts at once. */
  keys: () => KeyRegistry;
  /** Subjects and key ids disabled since. */
  denied: () => ReadonlySet<string>;
  sessionKeys: Keyring;
  readCookie: (cookieHeader: string | undefined) => string | undefined;
  /** Sessions signed out before their time. */
  isRevoked: (sessionId: string) => boolean;
  verifyToken?: TokenVerifier;
  clock: Clock;
};

const BEARER = /^Bearer +([^\s]+)$/i;

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  function byKey(secret: string): Credential | undefined {
    const digest = sha256Hex(secret);
    const key = deps.keys().get(digest);
    if (key === undefined) return undefined;
    const isValid = () => {
      const denied = deps.denied();
      return isUnchanged(deps.keys().get(digest), key) && !denied.has(key.id) && !denied.has(key.subject);
    };
    if (!isValid()) return undefined;
    return { subject: key.subject, roles: key.roles, groups: key.groups ?? [], kind: "key", isValid };
  }

  async function byToken(token: string): Promise<Credential | undefined> {
    const claims = await deps.verifyToken?.(token);
    if (claims === undefined) return undefined;
    const isValid = () => claims.expiresAtMs > deps.clock.nowMs() && !deps.denied().has(claims.subject);
    if (!isValid()) return undefined;
    return { subject: claims.subject, roles: claims.roles, groups: claims.groups, kind: "token", isValid };
  }

  function byCookie(cookie: string | undefined): Credential | undefined {
    const session = openSession(deps.sessionKeys, deps.readCookie(cookie), deps.clock.nowMs());
    if (session === undefined) return undefined;
    const isValid = () => {
      const denied = deps.denied();
      const disabled = denied.has(session.subject) || !isKeyGood(session, deps);
      return !disabled && !deps.isRevoked(session.sid) && session.expiresAtMs > deps.clock.nowMs();
    };
    if (!isValid()) return undefined;
    return {
      subject: session.subject,
      roles: session.roles,
      groups: session.groups,
      kind: "session",
      isValid,
    };
  }

  return {
    async authenticate({ authorization, cookie }) {
      if (authorization === undefined) return byCookie(cookie);
      const secret = BEARER.exec(authorization)?.[1];
      if (secret === undefined) return undefined;
      return byKey(secret) ?? (await byToken(secret));
    },
  };
}

type Named = { subject: string; roles: readonly string[]; groups?: readonly string[] | undefined };

/** Does the key still say what it said? With other roles or groups a credential is another one: sign in again. */
function isUnchanged(now: ApiKey | undefined, then: Named): boolean {
  if (now === undefined || now.subject !== then.subject) return false;
  return sameNames(now.roles, then.roles) && sameNames(now.groups ?? [], then.groups ?? []);
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

/** A session made from a key lives no longer than the key, and with no more than the key gives. */
function isKeyGood(session: Session, { keys, denied }: Pick<AuthenticatorDeps, "keys" | "denied">): boolean {
  const { keyId } = session;
  if (keyId === undefined) return true;
  if (denied().has(keyId)) return false;
  for (const key of keys().values()) if (key.id === keyId) return isUnchanged(key, session);
  return false;
}
