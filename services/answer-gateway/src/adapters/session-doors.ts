import { formatInstant, parseSessionBody } from "@interlude/contract";
import { ROLES } from "@interlude/domain";
import { openSession, type SessionCookie } from "@interlude/secrets";
import {
  invalidRequest,
  isOwnOrigin,
  json,
  problemResponse,
  type RequestContext,
  type Route,
} from "@interlude/service-kit";
import { z } from "zod";
import type { Revocations } from "../application/revocations.ts";
import {
  makeLink,
  type Person,
  SESSION_LIFETIME_MS,
  signInByKey,
  signInByLink,
  type SignInDeps,
} from "../application/sign-in.ts";

export type SessionDeps = SignInDeps & {
  revocations: Revocations;
  cookie: SessionCookie;
  publicOrigin: string | undefined;
};

export function sessionDoors(deps: SessionDeps): Route[] {
  return [
    { door: "GET /api/me", body: "none", handle: me },
    { door: "POST /api/session/links", body: "optional", handle: (context) => createLink(deps, context) },
    { door: "POST /api/session", body: "json", handle: (context) => signIn(deps, context) },
    { door: "DELETE /api/session", body: "none", handle: (context) => signOut(deps, context) },
  ];
}

function me({ credential }: RequestContext): Response {
  const { subject = "anonymous", roles = [], groups = [] } = credential ?? {};
  return json(200, { subject, roles, groups }, { "cache-control": "no-store" });
}

/** For whom a link signs in; whoever makes it, unless it says otherwise. */
const LinkBody = z.strictObject({
  subject: z
    .string()
    .min(1)
    .max(512)
    .refine((name) => !name.startsWith("group:"), "must not begin with group:")
    .optional(),
  roles: z.array(z.enum(ROLES)).min(1).optional(),
  groups: z.array(z.string().min(1).max(512)).max(100).optional(),
});

function createLink(deps: SessionDeps, context: RequestContext): Response {
  const parsed = LinkBody.safeParse(context.body);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => ({ path: `/${path.join("/")}`, message }));
    return invalidRequest(faults);
  }
  const own = context.credential;
  const person = {
    subject: parsed.data.subject ?? own?.subject ?? "anonymous",
    roles: parsed.data.roles ?? own?.roles ?? [],
    groups: parsed.data.groups ?? own?.groups ?? [],
    ...(own?.keyId === undefined ? {} : { keyId: own.keyId }),
    ...(own?.keyMark === undefined ? {} : { keyMark: own.keyMark }),
  };
  const { token, expiresAtMs } = makeLink(deps, person);
  const origin = deps.publicOrigin ?? `http://${context.header("host") ?? "localhost"}`;
  return json(201, { url: `${origin}/signin/${token}`, expires_at: formatInstant(expiresAtMs) });
}

async function signIn(deps: SessionDeps, context: RequestContext): Promise<Response> {
  const origin = context.header("origin");
  // A foreign page must not be able to sign its visitor in as somebody else.
  if (origin !== undefined && !isOwnOrigin(origin, context.header("host"), deps.publicOrigin)) {
    return problemResponse({ code: "forbidden", detail: "Sign in from this deployment's own page." });
  }
  const parsed = parseSessionBody(context.body);
  if (!parsed.ok) return invalidRequest(parsed.faults);
  const { kind, secret } = parsed.value;
  const signedIn = kind === "link" ? await signInByLink(deps, secret) : signInByKey(deps, secret);
  if (signedIn === undefined) {
    const detail =
      kind === "link"
        ? "This link has been used or is too old; ask for a new one."
        : "This key is not valid.";
    return problemResponse({ code: "unauthenticated", detail });
  }
  return json(200, shown(signedIn.person), {
    "cache-control": "no-store",
    "set-cookie": deps.cookie.set(signedIn.cookie, SESSION_LIFETIME_MS / 1_000),
  });
}

function shown({ subject, roles, groups }: Person) {
  return { subject, roles, groups };
}

async function signOut(deps: SessionDeps, context: RequestContext): Promise<Response> {
  const session = openSession(deps.keyring, deps.cookie.read(context.header("cookie")), deps.clock.nowMs());
  if (session !== undefined) await deps.revocations.revoke(session.sid);
  return new Response(null, { status: 204, headers: { "set-cookie": deps.cookie.clear() } });
}
