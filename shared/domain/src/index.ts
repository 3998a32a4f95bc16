export { type Interaction, type InteractionRefusal, type KnownInteraction, UNASKED } from "./interaction.ts";
export { evolve, fold, type Folded, type HistoryEntry } from "./evolve.ts";
export {
  type AnswerContent,
  deadlineMs,
  decide,
  type InteractionCommand,
  type InteractionDecision,
  isRepeatOf,
  refusalOfEnded,
} from "./decide.ts";
export {
  type Action,
  type Actor,
  authorize,
  type Belonging,
  type Role,
  ROLES,
  type Verdict,
} from "./authorize.ts";
