import type { Clock } from "@interlude/kernel";
import { type Identity, identityOf } from "./identity.ts";
import { createIssuer } from "./issuer.ts";
import type { OidcSettings } from "./settings.ts";
import { createSignIn, type SignIn } from "./sign-in.ts";
import { LEEWAY_SECONDS, verifyJwt } from "./verify-jwt.ts";

export type OidcDeps = {
  settings: OidcSettings;
  /** Where the provider sends people back to; without it nobody is signed in. */
  redirectUri?: string | undefined;
  clock: Clock;
  /** The provider could not be asked; what was known of it stays in force. */
  onFailure: (reason: string) => void;
};

export interface Oidc {
  /**
   * Who a bearer's JWT speaks of; `undefined` when it is not one of ours or not valid now.
   * @throws ServiceFailure when that cannot be told while the provider is away
   */
  verifyToken(token: string): Promise<(Identity & { expiresAtMs: number }) | undefined>;
  readonly signIn: SignIn | undefined;
  stop(): void;
}

/** One identity provider, asked from now on. */
export function createOidc({ settings, redirectUri, clock, onFailure }: OidcDeps): Oidc {
  const issuer = createIssuer({ issuer: settings.issuer, onFailure });
  const { client } = settings;
  issuer.start();
  return {
    async verifyToken(token) {
      const claims = await verifyJwt(token, settings, issuer, clock);
      const identity = claims && identityOf(claims, settings);
      if (claims === undefined || identity === undefined) return undefined;
      return { ...identity, expiresAtMs: (claims.exp + LEEWAY_SECONDS) * 1_000 };
    },
    signIn:
      client === undefined || redirectUri === undefined
        ? undefined
        : createSignIn({ settings, client, redirectUri, issuer, clock }),
    stop() {
      issuer.stop();
    },
  };
}
