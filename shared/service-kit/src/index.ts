export { type Access, type AccessTable, accessTable, DOOR_NAMES, type DoorName } from "./access-table.ts";
export {
  type ApiKey,
  isKeyGood,
  keyMark,
  keyRegistry,
  type KeyRegistry,
  type KeyState,
  parseApiKeys,
  sha256Hex,
} from "./api-keys.ts";
export { createAuthenticator, type AuthenticatorDeps, type TokenVerifier } from "./authenticator.ts";
export { clientAddress, rateKey } from "./client-address.ts";
export { actorOf, type Authenticator, type Credential } from "./credentials.ts";
export { createHttpApp, type HttpApp, type HttpAppDeps } from "./http-app.ts";
export { alreadySent, type HttpServer, startHttpServer } from "./http-server.ts";
export { createLogger, type Logger, recordingLogger } from "./logger.ts";
export { isIdentity, isPlainJson, mediaTypeOf } from "./media-type.ts";
export { createMetrics, type Metrics } from "./metrics.ts";
export { isOwnOrigin } from "./origin.ts";
export { PUBLIC_DATA_HEADERS, publicJson, publicPage } from "./public-reply.ts";
export { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";
export { type BodyRead, readBody } from "./read-body.ts";
export {
  failureResponse,
  invalidRequest,
  json,
  problemResponse,
  type Refused,
  tooManyWaits,
} from "./respond.ts";
export type { BodyKind, RequestContext, Route } from "./route.ts";
export type { Service } from "./service.ts";
export { readSettings, Settings } from "./settings.ts";
export { createSweeping, type Sweeping } from "./sweeping.ts";
export { createWaiters, type Waiters } from "./waiters.ts";
export { createWaitSlots, type WaitSlot, type WaitSlots } from "./wait-slots.ts";
export { conversationKeysOf, keepConversationKeys } from "./conversation-keys.ts";
export { type AnswerKeys, createAnswerKeys } from "./answer-keys.ts";
export { callbackUrl, type CallbackLinks, externalLink, notificationFormUrl } from "./callback-link.ts";
export { resultFor, type ResultOutcome } from "./open-answer.ts";
export type { Result } from "./render-result.ts";
export { systemDoors, type SystemDeps } from "./system-doors.ts";
