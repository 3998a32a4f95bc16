const REFERENCE = /^\/api\/interactions\/media\/([A-Za-z0-9_-]{43})$/;

/**
 * The id in a reference to media that we serve: the path alone, or on our own public base URL. An address
 * with a query or fragment is none.
 */
export function servedMediaId(url: string, publicBaseUrl?: string): string | undefined {
  const bare = REFERENCE.exec(url);
  if (bare !== null) return bare[1];
  if (publicBaseUrl === undefined || !URL.canParse(url) || !URL.canParse(publicBaseUrl)) return undefined;
  if (url.includes("?") || url.includes("#") || url.includes("@")) return undefined;
  const base = new URL(publicBaseUrl);
  const address = new URL(url);
  const prefix = base.pathname.replace(/\/+$/, "");
  const path = url.slice(url.indexOf("/", url.indexOf("//") + 2));
  if (address.origin !== base.origin || !path.startsWith(prefix)) return undefined;
  // The path as written: one that a parser would first have to tidy is no reference of ours.
  return REFERENCE.exec(path.slice(prefix.length))?.[1];
}
