import { type Keyring, mintTicket, restoreLink } from "@interlude/secrets";
import type { AskedData } from "@interlude/contract";

const CALLBACK_PATH = "/api/interactions/callback/";

/** Makes callback URLs; the ticket in one is the capability to answer its question. */
export type CallbackLinks = {
  /** Origin and path prefix of the public address; `undefined` when none is configured. */
  baseUrl: string | undefined;
  keyring: Keyring;
};

export function callbackUrl(
  links: CallbackLinks & { baseUrl: string },
  id: string,
  ticket: { kid: string; nonce: string },
): string {
  const { kid, nonce } = ticket;
  return `${links.baseUrl}${CALLBACK_PATH}${mintTicket(links.keyring, { id, nonce, kid, purpose: "callback" })}`;
}

/** The page of a form that nobody waits for, where the medium has none of its own. */
export function notificationFormUrl(
  links: CallbackLinks & { baseUrl: string },
  id: string,
  { kid, nonce }: { kid: string; nonce: string },
): string {
  return `${links.baseUrl}/api/notifications/form/${mintTicket(links.keyring, { id, nonce, kid, purpose: "form" })}`;
}

/** The link a person follows, with its callback URL put back in; for those who may answer only. */
export function externalLink(links: CallbackLinks, asked: AskedData): string | undefined {
  const { baseUrl } = links;
  if (baseUrl === undefined || asked.ticket === undefined) return undefined;
  const url = callbackUrl({ ...links, baseUrl }, asked.interaction_id, asked.ticket);
  return asked.link === undefined ? url : restoreLink(asked.link, url);
}
