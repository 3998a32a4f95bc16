import type { Ask, FieldFault } from "@interlude/contract";
import { cutCallback, fillLink, newNonce } from "@interlude/secrets";
import { callbackUrl, type CallbackLinks } from "@interlude/service-kit";

export type AskLink =
  | {
      ok: true;
      ticket: { kid: string; nonce: string } | undefined;
      stored: string | undefined;
      /** The link as a person gets it. */
      filled?: string;
    }
  | { ok: false; faults: readonly FieldFault[] };

/** The ticket of a question that a callback can answer, and its link with the ticket cut out again. */
export function linkOf(
  ask: Ask,
  id: string,
  reservation: { kid: string; nonce: string } | undefined,
  links: CallbackLinks,
): AskLink {
  const { baseUrl, keyring } = links;
  if (baseUrl === undefined || (ask.answer_format !== "external" && ask.channel === undefined)) {
    return { ok: true, ticket: undefined, stored: undefined };
  }
  const ticket = reservation ?? { kid: keyring.current.kid, nonce: newNonce() };
  if (ask.answer_format !== "external" || ask.link === undefined)
    return { ok: true, ticket, stored: undefined };
  const url = callbackUrl({ keyring, baseUrl }, id, ticket);
  const filled = fillLink(ask.link, url, { reserved: reservation !== undefined });
  if (!filled.ok) return { ok: false, faults: [{ path: "/link", message: `link ${filled.message}` }] };
  return { ok: true, ticket, stored: cutCallback(filled.link, url), filled: filled.link };
}
