import type { KnownPark } from "@interlude/domain";
import { handleRunCommand, type ParkAddress, type RunStore, type TraceContext } from "@interlude/event-log";
import type { Clock } from "@interlude/kernel";

export type ReplayOutcome =
  { kind: "replayed"; park: KnownPark } | { kind: "not_failed" } | { kind: "unavailable" };

/** Puts a failed resume back, with all its attempts before it. */
export async function replayRun(
  { runs, clock }: { runs: RunStore; clock: Clock },
  address: ParkAddress,
  by: string,
  trace?: TraceContext,
): Promise<ReplayOutcome> {
  const handled = await handleRunCommand(
    runs,
    address,
    (nowMs) => ({ type: "Replay", by, nowMs }),
    () => clock.nowMs(),
    trace === undefined ? {} : { trace },
  );
  if (handled.ok) return { kind: "replayed", park: handled.park };
  const isUnreadable = "refusal" in handled && handled.refusal.code === "unavailable";
  return { kind: isUnreadable ? "unavailable" : "not_failed" };
}
