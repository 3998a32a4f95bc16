export { generateKeyring, parseKeyring, type Keyring } from "./keyring.ts";
export { constantTimeEqual } from "./constant-time-equal.ts";
export { newNonce } from "./nonce.ts";
export { mintTicket, openTicket, type Ticket, type TicketPurpose } from "./ticket.ts";
export {
  checkReservation,
  mintReservation,
  peekReservation,
  RESERVATION_LIFETIME_MS,
  type Reservation,
} from "./reservation.ts";
export {
  digestUnder,
  newDataKey,
  openAnswer,
  sealAnswer,
  unwrapKey,
  wrapKey,
  type DataKey,
} from "./data-key.ts";
export { openPayload, signPayload } from "./signed-payload.ts";
export { mintLink, openLink, openSession, sealSession, type Session, type SignInLink } from "./session.ts";
export { type ClaimPlace, mintClaimId, openClaimId } from "./claim-id.ts";
export { type ClaimBearer, mintClaimToken, openClaimToken } from "./claim-token.ts";
export { threadToken } from "./thread-token.ts";
export {
  conversationKeyring,
  newConversationKey,
  openConversationKey,
  sealConversationKey,
} from "./conversation-key.ts";
export { openSealedPayload, sealPayload } from "./sealed-payload.ts";
export { sessionCookie, type SessionCookie, signInCookie } from "./session-cookie.ts";
export {
  checkVerifierConfig,
  isBodySigning,
  readVerifier,
  type Verifier,
  type VerifierFault,
} from "./verifier-config.ts";
export { verifyDelivery, type Delivery, type Verification } from "./verify-delivery.ts";
export { hasHubSignature, hasSlackSignature, hasStripeSignature } from "./webhook-signature.ts";
export { cutCallback, fillLink, restoreLink, type FilledLink } from "./callback-link.ts";
