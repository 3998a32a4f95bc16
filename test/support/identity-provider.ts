import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { freePort } from "@interlude/testing";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from "jose";
import { type JWK, Provider } from "oidc-provider";

/** What the provider knows of somebody. */
type Account = { roles?: readonly string[]; groups?: readonly string[] };

export const AUDIENCE = "https://interlude.test";
const CLIENT = { id: "inbox", secret: "a-secret-of-the-test" };

type SigningKey = { kid: string; privateKey: CryptoKey; jwk: JWK };

export type Claims = Readonly<Record<string, unknown>>;
type Signing = { header?: Partial<JWTHeaderParameters>; key?: SigningKey };

/** A certified OpenID provider on a port of its own; its keys are the test's, so that the test can misuse them. */
export type IdentityProvider = {
  issuer: string;
  /** The variables that make it a deployment's provider. */
  variables: Readonly<Record<string, string>>;
  /** A JWT as the provider gives to a program for itself. */
  tokenOf: (program: string) => Promise<string>;
  /** A JWT of these claims, over good ones, signed by the provider's key or another. */
  sign: (claims: Claims, signing?: Signing) => Promise<string>;
  /** The same issuer, come back with other keys; those it had are withdrawn. */
  rotate: () => Promise<void>;
  /** Nobody answers at the issuer until it is rotated. */
  goAway: () => Promise<void>;
  key: () => SigningKey;
  stop: () => Promise<void>;
};

export type ProviderOptions = {
  /** Where people are sent back to, once it is known. */
  publicUrl?: string;
  /** People who may log in, by name. */
  people?: Readonly<Record<string, Account>>;
  /** Programs with tokens of their own, by client id. */
  programs?: Readonly<Record<string, Account>>;
  idTokenSeconds?: number;
};

export async function startIdentityProvider(options: ProviderOptions = {}): Promise<IdentityProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  let key = await newKey();
  let server = await serve(issuer, port, key, options);
  const sign = (claims: Claims, signing: Signing = {}) => {
    const by = signing.key ?? key;
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT({ iss: issuer, aud: AUDIENCE, sub: "dora", iat: now, exp: now + 600, ...claims })
      .setProtectedHeader({ alg: "RS256", kid: by.kid, ...signing.header })
      .sign(by.privateKey);
  };
  return {
    issuer,
    variables: {
      INTERLUDE_OIDC_ISSUER: issuer,
      INTERLUDE_OIDC_AUDIENCE: AUDIENCE,
      INTERLUDE_OIDC_CLIENT_ID: CLIENT.id,
      INTERLUDE_OIDC_CLIENT_SECRET: CLIENT.secret,
    },
    tokenOf: (program) => tokenOf(issuer, program),
    sign,
    async rotate() {
      await server.stop();
      key = await newKey();
      server = await serve(issuer, port, key, options);
    },
    goAway: () => server.stop(),
    key: () => key,
    stop: () => server.stop(),
  };
}

export async function newKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const kid = crypto.randomUUID();
  return {
    kid,
    privateKey,
    jwk: { ...(await exportJWK(privateKey)), kty: "RSA", kid, alg: "RS256", use: "sig" },
  };
}

async function tokenOf(issuer: string, program: string): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({
      ...{ grant_type: "client_credentials", resource: AUDIENCE },
      ...{ client_id: program, client_secret: CLIENT.secret },
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`no token for ${program}: ${response.status}`);
  return token;
}

async function serve(issuer: string, port: number, key: SigningKey, options: ProviderOptions) {
  const provider = createProvider(issuer, key, options);
  const handle = provider.callback();
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith("/interaction/") === true) void interact(provider, incoming, outgoing);
    else void handle(incoming, outgoing);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    async stop() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function createProvider(issuer: string, key: SigningKey, options: ProviderOptions): Provider {
  const { people = {}, programs = {}, publicUrl, idTokenSeconds = 300 } = options;
  const accountOf = (name: string) =>
    Object.entries({ ...people, ...programs }).find(([known]) => known === name);
  return new Provider(issuer, {
    jwks: { keys: [key.jwk] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${publicUrl ?? issuer}/api/session/oidc/callback`],
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
      ...Object.keys(programs).map((program) => ({
        client_id: program,
        client_secret: CLIENT.secret,
        token_endpoint_auth_method: "client_secret_post" as const,
        redirect_uris: [],
        response_types: [],
        grant_types: ["client_credentials"],
      })),
    ],
    cookies: { keys: [crypto.randomUUID()] },
    claims: { openid: ["sub", "roles", "groups"] },
    findAccount: (_context, name) => {
      const account = accountOf(name)?.[1];
      if (account === undefined) return undefined;
      return { accountId: name, claims: () => ({ sub: name, ...account }) };
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: {
      IdToken: idTokenSeconds,
      AccessToken: 300,
      ClientCredentials: 300,
      Interaction: 300,
      Session: 300,
      Grant: 300,
    },
    extraTokenClaims: (_context, token) => accountOf(token.clientId ?? "")?.[1] ?? {},
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: "", audience: AUDIENCE, accessTokenFormat: "jwt" }),
      },
    },
  });
}

/** The provider's own pages: a name is typed, and that is the log-in; or somebody thinks better of it. */
async function interact(
  provider: Provider,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(incoming, outgoing);
  if (prompt.name === "consent") {
    const grant = new provider.Grant({
      accountId: session?.accountId ?? "",
      clientId: String(params["client_id"]),
    });
    grant.addOIDCScope("openid");
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(incoming, outgoing, { consent }, { mergeWithLastSubmission: true });
    return;
  }
  if (incoming.method !== "POST") {
    outgoing.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    outgoing.end(LOGIN);
    return;
  }
  const form = new URLSearchParams(await textOf(incoming));
  const name = form.get("name") ?? "";
  const result = name === "" ? { error: "access_denied" } : { login: { accountId: name } };
  await provider.interactionFinished(incoming, outgoing, result, { mergeWithLastSubmission: false });
}

const LOGIN = `<!doctype html><title>The provider</title><form method="post">
<label>Name <input name="name"></label><button>Log in</button></form>`;

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
