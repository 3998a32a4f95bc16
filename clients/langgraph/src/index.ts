export { askEveryone, askExternal, askForResolution, askUser } from "./ask-user.ts";
export {
  type Expired,
  type GraphAnswer,
  type GraphAsk,
  type GraphAskExternal,
  type GraphPayload,
  isExpired,
} from "./asks.ts";
export {
  langgraphDriver,
  type LanggraphDriver,
  type LanggraphDriverOptions,
  type Outcome,
  type SettledRun,
  type StartOptions,
} from "./langgraph-driver.ts";
export type { OtherInterrupt } from "./read-thread.ts";
export type { Drivable } from "./thread.ts";
