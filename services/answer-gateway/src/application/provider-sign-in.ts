import { ServiceFailure } from "@interlude/kernel";
import type { SignIn, SignInOutcome } from "@interlude/oidc";
import { constantTimeEqual, openSealedPayload, sealPayload } from "@interlude/secrets";
import type { Logger } from "@interlude/service-kit";
import { z } from "zod";
import { SESSION_LIFETIME_MS, type SignInDeps, signInUntil } from "./sign-in.ts";

export type ProviderSignInDeps = SignInDeps & { signIn: SignIn; logger: Logger };

/** Time to log in at the provider, second factor and all. */
export const AWAY_LIFETIME_MS = 600_000;
const LABEL = "oidc-sign-in";

/** What the browser keeps while it is away; sealed, so that it is the one that began who comes back. */
const Away = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  expiresAtMs: z.number(),
});

/** Why nobody was signed in, as the page tells it; nothing of it comes from the request. */
export type SignInFault =
  "not_begun" | "declined" | "refused" | "no_role" | "disabled" | "too_large" | "provider_away";

export async function beginAtProvider(
  { signIn, keyring, clock }: ProviderSignInDeps,
  returnTo: string,
): Promise<{ ok: true; url: string; sealed: string } | { ok: false; fault: SignInFault }> {
  const begun = await unlessAway(signIn.begin());
  if (begun === "away") return { ok: false, fault: "provider_away" };
  const away = { ...begun.secrets, returnTo, expiresAtMs: clock.nowMs() + AWAY_LIFETIME_MS };
  return { ok: true, url: begun.url, sealed: sealPayload(keyring, LABEL, away) };
}

export type Finished =
  { ok: true; cookie: string; lifetimeMs: number; returnTo: string } | { ok: false; fault: SignInFault };

export async function finishAtProvider(
  deps: ProviderSignInDeps,
  query: string,
  sealed: string | undefined,
): Promise<Finished> {
  const away = Away.safeParse(openSealedPayload(deps.keyring, LABEL, sealed));
  if (!away.success || away.data.expiresAtMs <= deps.clock.nowMs()) return failed("not_begun");
  const { state, returnTo } = away.data;
  const [given = "", ...more] = new URLSearchParams(query).getAll("state");
  if (more.length > 0 || !constantTimeEqual(given, state)) return failed("not_begun");
  const outcome = await unlessAway(deps.signIn.finish(query, away.data));
  if (outcome === "away") return failed("provider_away");
  if (!outcome.ok) {
    deps.logger.warn("a sign-in by the identity provider failed", { code: outcome.code.slice(0, 64) });
    return failed(outcome.reason);
  }
  return admit(deps, outcome, state, returnTo);
}

async function admit(
  deps: ProviderSignInDeps,
  { identity, expiresAtMs }: Extract<SignInOutcome, { ok: true }>,
  state: string,
  returnTo: string,
): Promise<Finished> {
  const lifetimeMs = Math.min(expiresAtMs - deps.clock.nowMs(), SESSION_LIFETIME_MS);
  if (lifetimeMs <= 0) return failed("refused");
  if (deps.denied().has(identity.subject)) return failed("disabled");
  if (identity.roles.length === 0) return failed("no_role");
  const signedIn = signInUntil(deps, identity, expiresAtMs);
  if (signedIn === undefined) return failed("too_large");
  // Only what the provider has vouched for is recorded, so that strangers cannot fill the bucket.
  if (!(await deps.sessions.create(`oidc.${state}`, "used"))) return failed("not_begun");
  return { ok: true, cookie: signedIn.cookie, lifetimeMs, returnTo };
}

function failed(fault: SignInFault): Finished {
  return { ok: false, fault };
}

async function unlessAway<T>(work: Promise<T>): Promise<T | "away"> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceFailure && error.code === "identity_provider_unavailable") return "away";
    throw error;
  }
}
