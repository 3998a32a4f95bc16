/** What a deployment says about its identity provider. */
export type OidcSettings = Readonly<{
  /** As the provider writes it in `iss`, to the letter. */
  issuer: string;
  /** What a token's `aud` must hold. */
  audience: string;
  rolesClaim: string;
  groupsClaim: string;
  /** Who this deployment is when it signs people in; without it, tokens alone are taken. */
  client?: Readonly<{ id: string; secret?: string; scope: string }>;
}>;

const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** https, or http on the machine itself: what travels between is trusted as the provider's word. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.includes(hostname));
}

/** An issuer is a place, and nothing that a request adds to one. */
export function isIssuer(text: string): boolean {
  return isSafeUrl(text) && !text.includes("?") && !text.includes("#");
}
