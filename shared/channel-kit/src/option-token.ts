import { ServiceFailure, sha256Base64Url } from "@interlude/kernel";

/** Telegram's `callback_data` is the narrowest of the places that carry a token. */
const TOKEN_MAX_BYTES = 64;
const CHOICE_MAX_CHARS = 4;
const REFERENCE_MAX_CHARS = TOKEN_MAX_BYTES - CHOICE_MAX_CHARS - 1;
const REFERENCE = /^[A-Za-z0-9_-]+$/;
const TOKEN = /^([A-Za-z0-9_-]+):(\d{1,3}|yes|no|form)$/;

/** How an interaction is called on a medium: its id, or what stands for one that leaves no room for a choice. */
export function referenceOf(id: string): string {
  return REFERENCE.test(id) && id.length <= REFERENCE_MAX_CHARS ? id : `h_${sha256Base64Url(id)}`;
}

const OF_NOTIFICATION = "x_";

/** How a notification is called: as no question, whose ids never begin so. */
export function notificationReferenceOf(id: string): string {
  return referenceOf(`${OF_NOTIFICATION}${id}`);
}

/** The notification that is called so; undefined for a question. */
export function parseNotificationReference(reference: string): string | undefined {
  return reference.startsWith(OF_NOTIFICATION) ? reference.slice(OF_NOTIFICATION.length) : undefined;
}

/** What a button carries: at most 64 bytes, whatever its label. */
export function optionToken(reference: string, choice: number | "yes" | "no" | "form"): string {
  const token = `${reference}:${choice}`;
  if (TOKEN.test(token) && token.length <= TOKEN_MAX_BYTES) return token;
  throw new ServiceFailure("invariant_broken", {
    retry: "never",
    message: "a reference is too long for a button, or not made by referenceOf",
  });
}

/** What was tapped; undefined for a button that is not one of ours. */
export function parseOptionToken(token: string): { reference: string; choice: string } | undefined {
  const match = TOKEN.exec(token);
  return match?.[1] === undefined || match[2] === undefined
    ? undefined
    : { reference: match[1], choice: match[2] };
}
