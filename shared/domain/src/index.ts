export { type Interaction, type InteractionRefusal, type KnownInteraction, UNASKED } from "./interaction.ts";
export { evolve, fold, type Folded, type HistoryEntry } from "./evolve.ts";
export {
  type AnswerContent,
  decide,
  type InteractionCommand,
  type InteractionDecision,
  isRepeatOf,
} from "./decide.ts";
export { deadlineMs, refusalOfEnded } from "./ended.ts";
export { type DeliveryCommand, type Receipt } from "./decide-delivery.ts";
export {
  attemptsMade,
  type Delivery,
  type DeliveryProgress,
  deliveryState,
  deliveryView,
  isSending,
} from "./delivery.ts";
export {
  type Action,
  type Actor,
  authorize,
  type Belonging,
  type Role,
  ROLES,
  type Verdict,
} from "./authorize.ts";
export {
  attemptsOf,
  type Claim,
  type KnownPark,
  type ParkStart,
  type OtherClaim,
  type Park,
  type RunFacts,
  type RunRefusal,
  runStateOf,
  UNPARKED,
} from "./run/park.ts";
export { parkSet, parkSetId, remainingOf } from "./run/barrier.ts";
export {
  evolvePark,
  type FoldedClaim,
  type FoldedPark,
  foldOtherClaim,
  foldPark,
  type RunHistoryEntry,
  type StoredRunEvent,
} from "./run/evolve-park.ts";
export {
  backoffMs,
  decideRun,
  liveClaim,
  type ParkCommand,
  type RunCommand,
  type RunDecision,
} from "./run/decide-run.ts";
export { decideRegister, type DriverRefusal } from "./run/decide-driver.ts";
export {
  type Conversation,
  type ConversationCommand,
  decideConversation,
  foldConversation,
  frontOf,
  isOfQueue,
} from "./conversation/conversation.ts";
export {
  decideInbound,
  type FromPerson,
  type InboundDecision,
  type QuestionFacts,
  type ReplyFit,
} from "./conversation/decide-inbound.ts";
