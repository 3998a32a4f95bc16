import { createLocalJWKSet, type LocalJWKSet } from "jose";
import { z } from "zod";
import { boundedFetch, providerAway } from "./bounded-fetch.ts";
import { isSafeUrl } from "./settings.ts";

const Metadata = z.object({
  issuer: z.string(),
  jwks_uri: z.string(),
  authorization_endpoint: z.string().exactOptional(),
  token_endpoint: z.string().exactOptional(),
  userinfo_endpoint: z.string().exactOptional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).exactOptional(),
  id_token_signing_alg_values_supported: z.array(z.string()).exactOptional(),
  authorization_response_iss_parameter_supported: z.boolean().exactOptional(),
});
export type Metadata = z.infer<typeof Metadata>;

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** What the provider said of itself when it was last asked. */
export type Known = { metadata: Metadata; keys: LocalJWKSet };

export interface Issuer {
  /** Begins to look every few minutes, so that a key that is withdrawn ends without anybody asking. */
  start(): void;
  stop(): void;
  /** What is known; looked up at first. @throws when nothing is known and the provider is away */
  known(): Promise<Known>;
  /** Looks again, unless it just did. @throws when the last look failed: what it would have said is not known */
  renewed(): Promise<Known>;
}

export type IssuerDeps = {
  issuer: string;
  /** A look that failed; what was known stays. */
  onFailure: (reason: string) => void;
  monotonicMs?: () => number;
};

const LOOK_EVERY_MS = 600_000;
/** However many tokens name keys that nobody has, the provider is asked no more often than this. */
const LOOK_AGAIN_AFTER_MS = 5_000;

export function createIssuer(deps: IssuerDeps): Issuer {
  const { monotonicMs = () => performance.now() } = deps;
  let known: Known | undefined;
  let hasFailed = false;
  let lookedAtMs = -Infinity;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    try {
      known = await load(deps.issuer);
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      deps.onFailure(error instanceof Error ? error.message : String(error));
    } finally {
      lookedAtMs = monotonicMs();
      looking = undefined;
    }
  }

  async function lookUnlessJustDone(): Promise<void> {
    if (looking === undefined && monotonicMs() - lookedAtMs < LOOK_AGAIN_AFTER_MS) return;
    await (looking ??= look());
  }

  return {
    start() {
      void lookUnlessJustDone();
      timer = setInterval(() => void lookUnlessJustDone(), LOOK_EVERY_MS);
      timer.unref();
    },
    stop() {
      clearInterval(timer);
    },
    async known() {
      if (known === undefined) await lookUnlessJustDone();
      if (known === undefined) throw providerAway("the identity provider is away");
      return known;
    },
    async renewed() {
      await lookUnlessJustDone();
      if (known === undefined || hasFailed) throw providerAway("the identity provider is away");
      return known;
    },
  };
}

async function load(issuer: string): Promise<Known> {
  const metadata = Metadata.safeParse(await get(wellKnown(issuer)));
  if (!metadata.success) throw providerAway("the identity provider's description is not one");
  // Whoever answers for another name must not be believed for this one.
  if (metadata.data.issuer !== issuer) {
    throw providerAway("the identity provider describes another issuer than INTERLUDE_OIDC_ISSUER");
  }
  const { jwks_uri, authorization_endpoint, token_endpoint, userinfo_endpoint } = metadata.data;
  for (const url of [jwks_uri, authorization_endpoint, token_endpoint, userinfo_endpoint]) {
    if (url !== undefined && !isEndpoint(url, issuer)) {
      throw providerAway("the identity provider names an endpoint that is not https");
    }
  }
  const keys = KeySet.safeParse(await get(jwks_uri));
  if (!keys.success) throw providerAway("the identity provider's keys are not a key set");
  return { metadata: metadata.data, keys: createLocalJWKSet(keys.data) };
}

function wellKnown(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

/** Only a provider on this machine may keep its parts there without https. */
function isEndpoint(url: string, issuer: string): boolean {
  return isSafeUrl(url) && (url.startsWith("https:") || issuer.startsWith("http:"));
}

async function get(url: string): Promise<unknown> {
  const response = await boundedFetch(url, { headers: { accept: "application/json" } });
  if (response.status !== 200) throw providerAway(`the identity provider answers ${response.status}`);
  return response.json();
}
