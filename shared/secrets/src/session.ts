import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Keyring } from "./keyring.ts";
import { openPayload, signPayload } from "./signed-payload.ts";

const Identity = {
  subject: z.string(),
  roles: z.array(z.enum(["asker", "answerer", "operator"])),
  groups: z.array(z.string()),
  /** The API key behind it, so that disabling the key ends what it opened. */
  keyId: z.string().exactOptional(),
  /** What that key was then: one that has become another gave nothing. */
  keyMark: z.string().exactOptional(),
  expiresAtMs: z.number(),
};

const SessionShape = z.object({ sid: z.string(), ...Identity });
const LinkShape = z.object({ jti: z.string(), ...Identity });

type Identified = {
  readonly subject: string;
  readonly roles: readonly ("asker" | "answerer" | "operator")[];
  readonly groups: readonly string[];
  readonly keyId?: string;
  readonly keyMark?: string;
  readonly expiresAtMs: number;
};

export type Session = Identified & { readonly sid: string };
/** A sign-in link's content. That it works once is enforced where `jti`s are recorded. */
export type SignInLink = Identified & { readonly jti: string };

// Browsers drop a cookie over 4,096 bytes without a word; its name and attributes need the rest.
const LARGEST_VALUE = 3_800;

/** The cookie's value, or undefined when browsers would not keep it (hundreds of groups). */
export function sealSession(keyring: Keyring, session: Session): string | undefined {
  const value = signPayload(keyring, "session", { sid: session.sid, ...identityOf(session) });
  return value.length > LARGEST_VALUE ? undefined : value;
}

export function openSession(keyring: Keyring, text: unknown, nowMs: number): Session | undefined {
  const parsed = SessionShape.safeParse(openPayload(keyring, "session", text));
  if (!parsed.success || parsed.data.expiresAtMs <= nowMs) return undefined;
  return parsed.data;
}

/** A link's token, with the fresh `jti` by which its one use is recorded. */
export function mintLink(keyring: Keyring, link: Identified): { token: string; jti: string } {
  const jti = randomBytes(16).toString("base64url");
  return { token: signPayload(keyring, "link", { jti, ...identityOf(link) }), jti };
}

export function openLink(keyring: Keyring, text: unknown, nowMs: number): SignInLink | undefined {
  const parsed = LinkShape.safeParse(openPayload(keyring, "link", text));
  if (!parsed.success || parsed.data.expiresAtMs <= nowMs) return undefined;
  return parsed.data;
}

function identityOf({ subject, roles, groups, keyId, keyMark, expiresAtMs }: Identified) {
  const key = {
    ...(keyId === undefined ? {} : { keyId }),
    ...(keyMark === undefined ? {} : { keyMark }),
  };
  return { subject, roles, groups, ...key, expiresAtMs };
}
