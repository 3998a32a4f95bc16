export { type Log, type LogEvent, type LogOptions, openLog } from "./connect.ts";
export { type ClockReading, LogClock } from "./log-clock.ts";
export { type StreamName, STREAMS, type StreamSizes } from "./streams.ts";
export { type Address, addressOf, INBOX_CHANNEL } from "./subjects.ts";
export { type AppendOutcome } from "./append.ts";
export { decodeHeaderValue, encodeHeaderValue, type TraceContext } from "./envelope.ts";
export {
  addressOfAsked,
  createInteractionStore,
  type History,
  type InteractionStore,
  readDelivery,
  type StoredEntry,
  type Write,
} from "./interaction-store.ts";
export { type CachedStore, createCachedStore } from "./cached-store.ts";
export { type Around, handleCommand, type Handled } from "./handle-command.ts";
export { openTail, type Tail, type TailListener, type TailOptions } from "./tail.ts";
export { consumeDurable, type Delivery, type DurableOptions } from "./durable.ts";
export { createTimers, firedTimerId, type Timers } from "./timers.ts";
export { createMessageIndex, type MessageIndex } from "./message-index.ts";
export { type Bucket, type BucketName, BUCKETS, openBucket } from "./bucket.ts";
export { type DurableState, durableState } from "./durable-state.ts";
export { createLeaseStore, type Lease, type LeaseStore } from "./lease-store.ts";
export { DURABLES, type LogRoom, logRoom, provisionLog, verifyLog } from "./provision.ts";
export { type ForwardEntry, readForward, type ReadForwardOptions } from "./read-forward.ts";
export { logBounds, type LogBounds, readLog } from "./replay.ts";
export {
  createMediaStore,
  type MediaClaim,
  mediaPath,
  type MediaStore,
  type ReadableMedia,
  type StoredMedia,
} from "./media-store.ts";
export type { MediaOwner } from "./media-claims.ts";
export type { ByteRange } from "./media-read.ts";
export type { ByteSource } from "./media-write.ts";
export { createMediaCustody, type MediaCustody } from "./media-custody.ts";
export {
  createNotificationStore,
  type NotificationFate,
  type NotificationStore,
  readNotificationDelivery,
} from "./notification-store.ts";
export { type FeedEntry, readFeed } from "./notification-feed.ts";
export {
  conversationRunId,
  isConversationRun,
  isDriverName,
  isParkAddress,
  type ParkAddress,
  parkAddress,
  parseRunSubject,
  runSubject,
  turnAddress,
  turnId,
} from "./run-subjects.ts";
export { type RunResults, runResults } from "./run-results.ts";
export { createTurnStore, type TurnStore } from "./turn-store.ts";
export { readRunDelivery, type StoredRunEntry } from "./read-stored-run.ts";
export { createRunStore, type RunHistory, type RunStore } from "./run-store.ts";
export {
  type AroundRun,
  factsOf,
  type FoldedRun,
  type HandledRun,
  handleRunCommand,
} from "./handle-run-command.ts";
export { findLiveClaim, type LiveClaim } from "./live-claim.ts";
export { createDriverStore, type DriverStore, type Registered } from "./driver-store.ts";
export { type RunForwardEntry, readRunsForward } from "./read-runs-forward.ts";
export { type IdHistory, readHistories } from "./read-histories.ts";
export { type AuditEntry, createPurgeLog, type PurgeLog, readAudit } from "./audit.ts";
export { createPurger, type Purger } from "./purger.ts";
export { CHANNEL_READINGS, channelDurable, type ChannelReading, channelStream } from "./channel-durables.ts";
export {
  createInboundStore,
  type InboundPlace,
  inboundPlace,
  type InboundStore,
  inboundSubject,
  readInboundDelivery,
  type StoredInbound,
} from "./inbound-store.ts";
export {
  type ConversationStore,
  conversationsBefore,
  createConversationStore,
  readConversationDelivery,
  type StoredConversationEntry,
  type ThreadAddress,
  type ThreadHistory,
} from "./conversation-store.ts";
export { hasOtherPark, hasParkedSinceClaimed } from "./other-parks.ts";
export { readRun } from "./read-run.ts";
