import { hostPart, webLinkFault } from "./web-address.ts";

const PLACEHOLDER = "{callback_url}";
/** Stands for a callback URL where only the form of the filled link is in question. */
const SAMPLE = "https://callback.example/api/interactions/callback/ticket";

export function hasCallbackPlaceholder(link: string): boolean {
  return link.includes(PLACEHOLDER);
}

/** What a link looks like once filled: percent-encoded inside a query or fragment, as it is before them. */
function fillLink(link: string, callbackUrl: string): string {
  const queryAt = link.search(/[?#]/);
  return link.replaceAll(PLACEHOLDER, (_placeholder, at: number) =>
    queryAt >= 0 && at > queryAt ? encodeURIComponent(callbackUrl) : callbackUrl,
  );
}

/** What is wrong with a link, filled or to be filled; to be read after the field's name. */
export function linkFault(link: string): string | undefined {
  // Filled in there, a parser would take "https" for the host's name and the rest for its path.
  if (hostPart(link)?.includes(PLACEHOLDER) === true)
    return `must not have ${PLACEHOLDER} in place of its host`;
  return webLinkFault(fillLink(link, SAMPLE));
}
