import type { Actor, Role } from "@interlude/domain";

/** Who a request comes from, and a way to ask later whether that still holds. */
export type Credential = {
  subject: string;
  roles: readonly Role[];
  groups: readonly string[];
  kind: "key" | "session" | "token";
  /** The API key it is or was made by, directly or through a link, and what that key was then. */
  keyId?: string;
  keyMark?: string;
  /** `false` once the key, session or token behind it is gone; streams end then. */
  isValid(): boolean;
};

export function actorOf(credential: Credential): Extract<Actor, { kind: "subject" }> {
  return { kind: "subject", subject: credential.subject, roles: credential.roles, groups: credential.groups };
}

/** Reads a credential out of a request's headers; `undefined` when there is none or it is not valid. */
export interface Authenticator {
  authenticate(headers: {
    authorization: string | undefined;
    cookie: string | undefined;
  }): Promise<Credential | undefined>;
}
