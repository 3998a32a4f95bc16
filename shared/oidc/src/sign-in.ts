import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  Configuration,
  customFetch,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
} from "openid-client";
import { type Clock, ServiceFailure } from "@interlude/kernel";
import { boundedFetch, PROVIDER_WITHIN_MS, providerAway } from "./bounded-fetch.ts";
import { claimAt, type Identity, identityOf } from "./identity.ts";
import type { Issuer, Metadata } from "./issuer.ts";
import type { OidcSettings } from "./settings.ts";
import { verifyJwt } from "./verify-jwt.ts";

/** What must be the same in the browser that begins and the one that comes back. */
export type SignInSecrets = { state: string; nonce: string; verifier: string };

export type SignInOutcome =
  | { ok: true; identity: Identity; expiresAtMs: number }
  /** `declined`: the person said no. `refused`: the provider's word does not hold. */
  | { ok: false; reason: "declined" | "refused"; code: string };

/** The code flow with PKCE. Both @throw a ServiceFailure while the provider is away. */
export interface SignIn {
  /** The provider's name for people: its host. */
  readonly providerName: string;
  begin(): Promise<{ url: string; secrets: SignInSecrets }>;
  /** @param query of the request that came back, as it came */
  finish(query: string, secrets: SignInSecrets): Promise<SignInOutcome>;
}

export type SignInDeps = {
  settings: OidcSettings;
  client: NonNullable<OidcSettings["client"]>;
  redirectUri: string;
  issuer: Issuer;
  clock: Clock;
};

export function createSignIn(deps: SignInDeps): SignIn {
  const { issuer, client, redirectUri } = deps;
  return {
    providerName: new URL(deps.settings.issuer).host,
    async begin() {
      const { metadata } = await issuer.known();
      if (metadata.authorization_endpoint === undefined || metadata.token_endpoint === undefined) {
        throw providerAway("the identity provider signs nobody in: it names no endpoints for that");
      }
      const config = configurationOf(metadata, deps);
      const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(config, {
        ...{ response_type: "code", redirect_uri: redirectUri, scope: client.scope },
        ...{ state: secrets.state, nonce: secrets.nonce },
        ...{ code_challenge: await calculatePKCECodeChallenge(secrets.verifier) },
        code_challenge_method: "S256",
      });
      return { url: url.href, secrets };
    },
    async finish(query, secrets) {
      const { metadata } = await issuer.known();
      try {
        return await exchange(query, secrets, metadata, deps);
      } catch (error) {
        return outcomeOf(error);
      }
    },
  };
}

async function exchange(
  query: string,
  secrets: SignInSecrets,
  metadata: Metadata,
  deps: SignInDeps,
): Promise<SignInOutcome> {
  const { settings, client, issuer, clock } = deps;
  const config = configurationOf(metadata, deps);
  const back = new URL(deps.redirectUri);
  back.search = query;
  const tokens = await authorizationCodeGrant(config, back, {
    pkceCodeVerifier: secrets.verifier,
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    idTokenExpected: true,
  });
  // The library trusts the connection it came by; its signature is looked at all the same.
  const expected = { issuer: settings.issuer, audience: client.id };
  const claims = await verifyJwt(tokens.id_token ?? "", expected, issuer, clock);
  if (claims === undefined) return { ok: false, reason: "refused", code: "id_token" };
  const lacks = [settings.rolesClaim, settings.groupsClaim].some(
    (name) => claimAt(claims, name) === undefined,
  );
  const more =
    lacks && metadata.userinfo_endpoint !== undefined
      ? await fetchUserInfo(config, tokens.access_token, claims.sub)
      : {};
  const identity = identityOf({ ...more, ...claims }, settings);
  if (identity === undefined) return { ok: false, reason: "refused", code: "sub" };
  return { ok: true, identity, expiresAtMs: claims.exp * 1_000 };
}

function configurationOf(metadata: Metadata, { client, settings, clock }: SignInDeps): Configuration {
  // The log's clock decides here too.
  const skew = { [clockSkew]: Math.round((clock.nowMs() - Date.now()) / 1_000) };
  const authentication = clientAuthentication(metadata, client.secret);
  const config = new Configuration(metadata, client.id, skew, authentication);
  config.timeout = PROVIDER_WITHIN_MS / 1_000;
  config[customFetch] = (url, { method, headers, body, signal }) =>
    boundedFetch(url, {
      ...{ method, headers, body: body ?? null },
      ...(signal === undefined ? {} : { signal }),
    });
  // Only a provider on this machine has such an issuer.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so by its authors to stand out
  if (settings.issuer.startsWith("http:")) allowInsecureRequests(config);
  return config;
}

/** A client without a secret is known by its PKCE alone; with one, by the way that the provider offers. */
function clientAuthentication(metadata: Metadata, secret: string | undefined) {
  if (secret === undefined) return None();
  const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = metadata;
  return methods.includes("client_secret_basic") ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

/** OAuth's own errors are the provider's word; what else goes wrong on the way may go right the next time. */
function outcomeOf(error: unknown): SignInOutcome {
  if (error instanceof ServiceFailure) throw error;
  if (error instanceof AuthorizationResponseError) {
    const reason = error.error === "access_denied" ? "declined" : "refused";
    return { ok: false, reason, code: error.error };
  }
  if (error instanceof ResponseBodyError) {
    if (error.status >= 500) throw providerAway(`the identity provider answers ${error.status}`, error);
    return { ok: false, reason: "refused", code: error.error };
  }
  const code = codeOf(error);
  if (code === undefined || AWAY.has(code)) throw providerAway("the identity provider is away", error);
  return { ok: false, reason: "refused", code };
}

const AWAY: ReadonlySet<string> = new Set(["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_RESPONSE_IS_NOT_CONFORM"]);

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
