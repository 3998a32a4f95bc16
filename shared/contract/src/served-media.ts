const REFERENCE = /^\/api\/interactions\/media\/([A-Za-z0-9_-]{43})$/;

/**
 * The id in a reference to media that we serve: the path alone, or on our own public base URL. An address
 * with a query or fragment is none.
 */
export function servedMediaId(url: string, publicBaseUrl?: string): string | undefined {
  const path = REFERENCE.exec(url);
  if (path !== null) return path[1];
  if (publicBaseUrl === undefined || !URL.canParse(url) || !URL.canParse(publicBaseUrl)) return undefined;
  if (url.includes("?") || url.includes("#") || url.includes("@")) return undefined;
  const base = new URL(publicBaseUrl);
  const address = new URL(url);
  const prefix = base.pathname.replace(/\/+$/, "");
  if (address.origin !== base.origin || !address.pathname.startsWith(prefix)) return undefined;
  return REFERENCE.exec(address.pathname.slice(prefix.length))?.[1];
}
