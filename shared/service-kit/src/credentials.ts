import type { RunName } from "@interlude/contract";
import type { Actor, Role } from "@interlude/domain";
import type { LiveClaim } from "@interlude/event-log";

/** Who a request comes from, and a way to ask later whether that still holds. */
export type Credential = {
  subject: string;
  roles: readonly Role[];
  groups: readonly string[];
  kind: "key" | "session" | "token" | "claim";
  /** Of a claim's token: the one run that it is good for, and the claim as it stood when the request came. */
  run?: RunName;
  claim?: LiveClaim;
  /** The API key it is or was made by, directly or through a link, and what that key was then. */
  keyId?: string;
  keyMark?: string;
  /** `false` once the key, session or token behind it is gone; streams end then. */
  isValid(): boolean;
};

export function actorOf(credential: Credential): Extract<Actor, { kind: "subject" }> {
  const { subject, roles, groups, run } = credential;
  return { kind: "subject", subject, roles, groups, ...(run === undefined ? {} : { run }) };
}

/**
 * Reads a credential out of a request's headers; `undefined` when there is none or it is not valid. A claim's
 * token cannot be judged, and fails, while the log is away.
 */
export interface Authenticator {
  authenticate(headers: {
    authorization: string | undefined;
    cookie: string | undefined;
  }): Promise<Credential | undefined>;
}
