export { connect, type ConnectOptions } from "./connect.ts";
export type { Client } from "./client.ts";
export { Suspended, SuspendedRun } from "./suspended.ts";
export {
  InteractionCancelledError,
  InteractionExpiredError,
  InteractionFailedError,
  InterludeError,
  LeaseLostError,
  RunFailedError,
  type Fault,
} from "./errors.ts";
export type {
  AnswerOf,
  Ask,
  AskCommon,
  AskConfirm,
  AskExternal,
  AskForm,
  AskSelect,
  AskText,
  FormData,
  PayloadOf,
  Reservation,
} from "./ask/ask.ts";
export { derivedId } from "./driver/ask-ids.ts";
export type { Checkpointer } from "./driver/checkpointer.ts";
export type {
  Driver,
  DriverOptions,
  InRun,
  Resolution,
  Resumption,
  Run,
  Turn,
  TurnCall,
  TurnMedia,
} from "./driver/driver.ts";
export type { Claim, Continuation } from "./driver/claim.ts";
export type { Received } from "./driver/receive.ts";
export { verifyContinuation, type VerifyOptions } from "./driver/verify-continuation.ts";
export type { Retry } from "./http/persistent.ts";
export type { Json, JsonObject } from "./json.ts";
export type { ChannelCapabilities, ChannelStatus } from "./channels.ts";
export type { HistoryEvent, Identity, ItemPage, ListQuery } from "./reading.ts";
export type {
  RunHistory,
  RunHistoryEntry,
  RunPage,
  RunQuery,
  RunQuestion,
  RunQuestionPage,
  RunQuestionQuery,
  RunState,
  RunStatus,
} from "./runs.ts";
export {
  type AnySchema,
  jsonSchemaOf,
  type OutputOf,
  parsedBy,
  type StandardSchema,
} from "./standard-schema.ts";
export type { StreamOptions } from "./stream.ts";
export type { StreamFrame } from "./wire/frame.ts";
export type { AnswerFormat, FormPage, InteractionStatus, Item, Media, Option } from "./wire/item.ts";
export type { Result } from "./wire/result.ts";
export type { Answered, Cancelled, Notification, UploadedMedia } from "./writing.ts";
