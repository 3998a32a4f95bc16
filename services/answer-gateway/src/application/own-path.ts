const LONGEST = 1_024;
/** The pages that somebody may want to go on to. */
const PAGES = /^\/(?:q\/[^/]+|notifications|runs(?:\/[^/]+\/[^/]+)?)?$/;
const NOWHERE = "http://own.invalid";

/** A page of ours as path and query, or undefined: what leads to another place, or is no page to read. */
export function ownPath(text: string): string | undefined {
  if (!text.startsWith("/") || text.length > LONGEST || !URL.canParse(text, NOWHERE)) return undefined;
  // Read as browsers read it: backslashes, dots and control characters mean there what they mean here.
  const url = new URL(text, NOWHERE);
  return url.origin === NOWHERE && PAGES.test(url.pathname) ? `${url.pathname}${url.search}` : undefined;
}
