import type { SignIn } from "@interlude/oidc";
import type { SessionCookie } from "@interlude/secrets";
import { invalidRequest, problemResponse, type RequestContext, type Route } from "@interlude/service-kit";
import { ownPath } from "../application/own-path.ts";
import {
  AWAY_LIFETIME_MS,
  beginAtProvider,
  finishAtProvider,
  type ProviderSignInDeps,
  type SignInFault,
} from "../application/provider-sign-in.ts";

export type ProviderDeps = Omit<ProviderSignInDeps, "signIn"> & {
  /** None where no provider is configured: the doors are not there. */
  signIn: SignIn | undefined;
  cookie: SessionCookie;
  signInCookie: SessionCookie;
};

/** Signing in at an identity provider: out, and back. */
export function providerDoors(deps: ProviderDeps): Route[] {
  const { signIn } = deps;
  const served = (handle: (deps: Served, context: RequestContext) => Promise<Response>) => {
    return (context: RequestContext) =>
      signIn === undefined ? notThere() : handle({ ...deps, signIn }, context);
  };
  return [
    { door: "GET /api/session/oidc", body: "none", query: ["return_to"], handle: served(begin) },
    // What a provider adds to its way back is its own matter.
    { door: "GET /api/session/oidc/callback", body: "none", query: "unchecked", handle: served(finish) },
  ];
}

type Served = ProviderDeps & { signIn: SignIn };

async function begin(deps: Served, context: RequestContext): Promise<Response> {
  const returnTo = ownPath(context.query.get("return_to") ?? "/");
  if (returnTo === undefined) {
    return invalidRequest([{ path: "return_to", message: "return_to must be the path of a page of ours" }]);
  }
  const begun = await beginAtProvider(deps, returnTo);
  if (!begun.ok) return failed(begun.fault, []);
  return redirect(begun.url, [deps.signInCookie.set(begun.sealed, AWAY_LIFETIME_MS / 1_000)]);
}

async function finish(deps: Served, context: RequestContext): Promise<Response> {
  // Whoever only looks uses nothing up.
  if (context.incoming.method === "HEAD") return redirect("/signin", []);
  const sealed = deps.signInCookie.read(context.header("cookie"));
  const finished = await finishAtProvider(deps, context.query.toString(), sealed);
  if (finished.ok) {
    const { cookie, lifetimeMs, returnTo } = finished;
    return redirect(returnTo, [deps.cookie.set(cookie, lifetimeMs / 1_000), deps.signInCookie.clear()]);
  }
  // A way back that nobody here began must not end the one that somebody did.
  return failed(finished.fault, finished.fault === "not_begun" ? [] : [deps.signInCookie.clear()]);
}

function failed(fault: SignInFault, cookies: readonly string[]): Response {
  return redirect(`/signin?fault=${fault}`, cookies);
}

function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}

function notThere(): Response {
  return problemResponse({ code: "not_found", detail: "No identity provider is configured here." });
}
