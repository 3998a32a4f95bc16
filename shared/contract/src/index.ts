export { CAPS } from "./caps.ts";
export { PROBLEM_CODES, PROBLEM_STATUS, problem, type Problem, type ProblemCode } from "./problem.ts";
export type { FieldFault, Parsed } from "./parsed.ts";
export { type JsonRefusal, parseJsonText } from "./parse-json-text.ts";
export { codePoints, foldText, hasControl, hasVisible } from "./text.ts";
export { formatInstant, parseInstant } from "./instant.ts";
export { checkCallerId, idempotencyKeyFault, isName } from "./ids.ts";
export {
  ANSWER_FORMATS,
  VERIFIER_NAMES,
  type AnswerFormat,
  type Ask,
  type AskRun,
  type AskVerifier,
  type OnMismatch,
  type VerifierName,
} from "./ask.ts";
export { parseAsk, type AskContext } from "./parse-ask.ts";
export { optionLabel, optionValue, optionValues, type AskOption, type FormOption } from "./options.ts";
export type { FormChoices, FormData, FormPage } from "./form-parts.ts";
export { parseMedia, type MediaContext, type MediaItem, type MediaKind } from "./media.ts";
export { servedMediaId } from "./served-media.ts";
export { decodeDataImage, isDataUri, sniffImage, type DecodedImage, type ImageType } from "./data-image.ts";
export {
  callbackObject,
  checkPlainAnswer,
  parseAnswerBody,
  type AnswerBody,
  type AnswerParams,
  type PlainFormat,
  boundedParams,
} from "./answer.ts";
export { EXPIRED_MARKER, isExpiredMarker } from "./expired-marker.ts";
export {
  parseCancelBody,
  parseEmptyBody,
  parseSessionBody,
  type CancelBody,
  type SessionBody,
} from "./small-bodies.ts";
export {
  parseCompleteBody,
  parseDriverBody,
  parseFailBody,
  parseParkBody,
  type CompleteBody,
  type DriverBody,
  type FailBody,
  type ParkBody,
} from "./run-bodies.ts";
export { openApiDocument, type OpenApiInfo } from "./openapi/document.ts";
export { parseNotification, type Notification } from "./notification.ts";
export {
  LIST_SORTS,
  LIST_STATUSES,
  parseListQuery,
  type ListQuery,
  type ListSort,
  type ListStatus,
} from "./list-query.ts";
export { parseLastEventId, parseSequence, type LastEventId } from "./sequence.ts";
export { parameterFaults } from "./query-params.ts";
export { parsePrefer, parseWait, type Preferences } from "./waiting.ts";
export {
  END_TYPES,
  interactionCeType,
  isDeliveryEvent,
  parseInteractionEvent,
  type AnsweredData,
  type AskedData,
  type CancelledData,
  type EndEvent,
  type EndType,
  type ExpiredData,
  type FailedData,
  type InteractionEvent,
  type InteractionEventType,
  type QuestionEvent,
  type RunName,
} from "./events.ts";
export type {
  DeliveredData,
  DeliveryEvent,
  DeliveryFailedData,
  DeliveryOutcome,
  DeliveryReportedData,
  DeliveryStartedData,
  MismatchedData,
  ReportedStatus,
} from "./delivery-events.ts";
export {
  INBOUND_RECEIVED,
  type InboundReceivedData,
  InboundUpdate,
  parseInboundReceived,
} from "./inbound-event.ts";
export {
  CONVERSATION_EVENT_TYPES,
  type ConversationEvent,
  type ConversationEventType,
  conversationCeType,
  parseConversationEvent,
} from "./conversation-events.ts";
export {
  NOTIFICATION_SENT,
  NotificationDeliveredData,
  NotificationFailedData,
  notificationCeType,
  parseNotificationSent,
  type NotificationOutcome,
  type NotificationSentData,
} from "./notification-event.ts";
export {
  type DeliveryState,
  type DeliveryView,
  itemQuestion,
  type InteractionStatus,
  type Item,
  type ItemFormatPayload,
  type ItemQuestion,
} from "./item.ts";
export {
  DRIVER_REGISTERED,
  parseDriverRegistered,
  parseRunEvent,
  runCeType,
  type AttemptFailedData,
  type ClaimRenewedData,
  type DriverRegisteredData,
  type ResumeRequestedData,
  type RunClaimedData,
  type RunEvent,
  type RunEventType,
  type RunFailedData,
  type RunParkedData,
  type RunReplayedData,
  type RunResumedData,
  type TurnReceivedData,
} from "./run-events.ts";
export { TURN_LABEL, type TurnContent, TurnContentSchema } from "./turn-content.ts";
export {
  driverView,
  RUN_STATES,
  type ClaimView,
  type Continuation,
  type DriverView,
  type ParkView,
  type Resolution,
  type ResolutionPage,
  type RunHistoryEntry,
  type RunHistoryPage,
  type RunPage,
  type RunQuestion,
  type RunQuestionPage,
  type RunState,
  type RunView,
  type Turn,
} from "./run-views.ts";
export { parseRunQuestionsQuery, type RunQuestionsQuery } from "./run-questions-query.ts";
export { parseRunListQuery, type RunListQuery } from "./run-list-query.ts";
export {
  type AuditEvent,
  auditCeType,
  type InteractionPurgedData,
  parseAuditEvent,
  type ParkPurgedData,
} from "./audit-events.ts";
