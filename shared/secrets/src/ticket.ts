import { ServiceFailure } from "@interlude/kernel";
import { constantTimeEqual } from "./constant-time-equal.ts";
import type { Keyring } from "./keyring.ts";
import { mac } from "./mac.ts";
import { isNonce } from "./nonce.ts";

export type TicketPurpose = "callback" | "form";

export type Ticket = { readonly id: string; readonly nonce: string; readonly kid: string };

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const TICKET = /^([A-Za-z0-9_-]{1,16})\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/**
 * `<kid>.<id>.<nonce>.<mac>`: derived, never stored, so that a ticket is the same each time it is made.
 * With `kid` that key signs; once it has left the ring the current one does, and what is made still opens.
 */
export function mintTicket(
  keyring: Keyring,
  ticket: { id: string; nonce: string; purpose: TicketPurpose; kid?: string },
): string {
  const { id, nonce, purpose } = ticket;
  if (!ID.test(id) || !isNonce(nonce)) {
    throw new ServiceFailure("invariant_broken", {
      retry: "never",
      message: "a ticket's id or nonce is malformed",
    });
  }
  const key = (ticket.kid === undefined ? undefined : keyring.keys.get(ticket.kid)) ?? keyring.current;
  return `${key.kid}.${id}.${nonce}.${mac(key, `ticket.${purpose}`, [id, nonce]).toString("base64url")}`;
}

/** What a ticket says when this ring made it for this purpose; anything else is undefined, whatever it is. */
export function openTicket(keyring: Keyring, purpose: TicketPurpose, text: unknown): Ticket | undefined {
  if (typeof text !== "string") return undefined;
  const [, kid, id, nonce, given] = TICKET.exec(text) ?? [];
  if (kid === undefined || id === undefined || nonce === undefined || given === undefined) return undefined;
  const key = keyring.keys.get(kid);
  if (key === undefined || !isNonce(nonce)) return undefined;
  // The texts are compared, not the bytes they decode to: a second spelling of one mac is no ticket.
  const expected = mac(key, `ticket.${purpose}`, [id, nonce]).toString("base64url");
  return constantTimeEqual(given, expected) ? { id, nonce, kid } : undefined;
}
