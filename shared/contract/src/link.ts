import { CALLBACK_PLACEHOLDER, fillPlaceholder } from "@interlude/kernel";
import { hostPart, webLinkFault } from "./web-address.ts";

/** Stands for a callback URL where only the form of the filled link is in question. */
const SAMPLE = "https://callback.example/api/interactions/callback/ticket";

export function hasCallbackPlaceholder(link: string): boolean {
  return link.includes(CALLBACK_PLACEHOLDER);
}

/** What is wrong with a link, filled or to be filled; to be read after the field's name. */
export function linkFault(link: string): string | undefined {
  // Filled in there, a parser would take "https" for the host's name and the rest for its path.
  if (hostPart(link)?.includes(CALLBACK_PLACEHOLDER) === true)
    return `must not have ${CALLBACK_PLACEHOLDER} in place of its host`;
  return webLinkFault(fillPlaceholder(link, SAMPLE));
}
