export {
  foldRunBatch,
  type AddressedChange,
  type AskEnd,
  type AskRow,
  type NewPark,
  type ParkAddress,
  type RunBatch,
  type RunModelEntry,
} from "./fold-run-batch.ts";
export { type ParkChange } from "./park-change.ts";
export { applyRunBatch } from "./apply-run-batch.ts";
export { type Positions, PURGES as RUN_PURGES, readPositions, waitForRuns } from "./positions.ts";
export { type ParkRow } from "./park-row.ts";
export { nextAvailableAt, type Pick, pickClaimable } from "./pick-claimable.ts";
export { listRuns, type RunFilter, type RunList } from "./list-runs.ts";
export { getFailedRun } from "./get-failed-run.ts";
export { getRun } from "./get-run.ts";
export { pendingAsks } from "./pending-asks.ts";
export { readyParks } from "./ready-parks.ts";
export { driversInConversations } from "./conversation-parks.ts";
export { resumingDrivers } from "./resuming-drivers.ts";
export { countRuns, type RunCounts } from "./count-runs.ts";
export { latestDeadlineMs } from "./latest-deadline.ts";
export { rebuild } from "./rebuild.ts";
export { RUN_MIGRATIONS } from "./migrations.ts";
export {
  type AppliedRunPurges,
  applyRunPurges,
  type PurgedAsk,
  type PurgedPark,
  type RunPurgeEntry,
} from "./apply-purges.ts";
