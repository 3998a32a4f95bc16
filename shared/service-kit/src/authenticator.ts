import type { LiveClaim } from "@interlude/event-log";
import { type ClaimPlace, type Keyring, openClaimToken, openSession } from "@interlude/secrets";
import type { Clock } from "@interlude/kernel";
import { isKeyGood, keyMark, type KeyState, sha256Hex } from "./api-keys.ts";
import type { Authenticator, Credential } from "./credentials.ts";

/** Verifies a JWT; `undefined` when it is not one of ours or not valid now. */
export type TokenVerifier = (
  token: string,
) => Promise<
  { subject: string; roles: Credential["roles"]; groups: string[]; expiresAtMs: number } | undefined
>;

/** Keys, and the subjects and key ids disabled since, are read at each request: a changed file counts at once. */
export type AuthenticatorDeps = KeyState & {
  sessionKeys: Keyring;
  readCookie: (cookieHeader: string | undefined) => string | undefined;
  /** Sessions signed out before their time. */
  isRevoked: (sessionId: string) => boolean;
  verifyToken?: TokenVerifier;
  /** The claim if it holds by the log, as it is now. */
  findClaim: (place: ClaimPlace, claimId: string) => Promise<LiveClaim | undefined>;
  clock: Clock;
};

const BEARER = /^Bearer +([^\s]+)$/i;

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  function byKey(secret: string): Credential | undefined {
    const digest = sha256Hex(secret);
    const key = deps.keys().get(digest);
    if (key === undefined) return undefined;
    const { id, subject, roles, groups = [] } = key;
    const mark = keyMark(key);
    const isValid = () => {
      const now = deps.keys().get(digest);
      if (now === undefined || keyMark(now) !== mark) return false;
      return !deps.denied().has(id) && !deps.denied().has(subject);
    };
    if (!isValid()) return undefined;
    return { subject, roles, groups, kind: "key", keyId: id, keyMark: mark, isValid };
  }

  async function byToken(token: string): Promise<Credential | undefined> {
    const claims = await deps.verifyToken?.(token);
    if (claims === undefined) return undefined;
    const isValid = () => claims.expiresAtMs > deps.clock.nowMs() && !deps.denied().has(claims.subject);
    if (!isValid()) return undefined;
    return { subject: claims.subject, roles: claims.roles, groups: claims.groups, kind: "token", isValid };
  }

  /** Its end is not in it: whether its claim still holds is asked of the log at every use. */
  async function byClaim(token: string): Promise<Credential | undefined> {
    const bearer = openClaimToken(deps.sessionKeys, token);
    if (bearer === undefined || deps.denied().has(bearer.subject)) return undefined;
    const claim = await deps.findClaim(bearer.place, bearer.claimId);
    if (claim === undefined) return undefined;
    const isValid = () => claim.leaseUntilMs > deps.clock.nowMs() && !deps.denied().has(bearer.subject);
    if (!isValid()) return undefined;
    const { subject, groups } = bearer;
    const run = { driver: claim.driver, run_id: claim.runId };
    return { subject, groups, roles: ["asker"], kind: "claim", run, claim, isValid };
  }

  function byCookie(cookie: string | undefined): Credential | undefined {
    const session = openSession(deps.sessionKeys, deps.readCookie(cookie), deps.clock.nowMs());
    if (session === undefined) return undefined;
    const isValid = () => {
      const disabled = deps.denied().has(session.subject) || !isKeyGood(session, deps);
      return !disabled && !deps.isRevoked(session.sid) && session.expiresAtMs > deps.clock.nowMs();
    };
    if (!isValid()) return undefined;
    const { sid: _, expiresAtMs: __, ...person } = session;
    return { ...person, kind: "session", isValid };
  }

  return {
    async authenticate({ authorization, cookie }) {
      if (authorization === undefined) return byCookie(cookie);
      const secret = BEARER.exec(authorization)?.[1];
      if (secret === undefined) return undefined;
      return byKey(secret) ?? (await byClaim(secret)) ?? (await byToken(secret));
    },
  };
}
