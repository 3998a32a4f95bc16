import { decideRun } from "@interlude/domain";
import { ServiceFailure } from "@interlude/kernel";
import { factsOf } from "./handle-run-command.ts";
import type { RunStore } from "./run-store.ts";
import type { ParkAddress } from "./run-subjects.ts";

/** A claim that holds, and the park it is of. */
export type LiveClaim = Readonly<{
  claimId: string;
  driver: string;
  runId: string;
  /** As it is shown. */
  parkId: string;
  owner: string;
  address: ParkAddress;
  fencing: number;
  /** As it stood when it was read: a heartbeat moves it. */
  leaseUntilMs: number;
}>;

/**
 * The claim if it is the run's last, is not over, and its lease has not run out by `nowMs`, which is asked after
 * the log has been read. By the leader's word, so that what ended a claim is seen by whoever asks afterwards.
 * @throws ServiceFailure `log_unavailable`; `event_unreadable` where the run cannot be judged
 */
export async function findLiveClaim(
  store: RunStore,
  address: ParkAddress,
  claimId: string,
  nowMs: () => number,
): Promise<LiveClaim | undefined> {
  const folded = factsOf(await store.read(address));
  if (!folded.ok) {
    throw new ServiceFailure("event_unreadable", {
      retry: "later",
      context: { reason: folded.refusal.code },
    });
  }
  // A lease that could be renewed by nothing is held, and nothing is stored to say so.
  const decision = decideRun({ type: "Renew", claimId, leaseMs: 0, nowMs: nowMs() }, folded.facts);
  const { park } = folded.facts;
  if (!decision.ok || park.status !== "claimed") return undefined;
  const { driver, run_id: runId, park_id: parkId, owner } = park.parked;
  const { fencing, leaseUntilMs } = park.claim;
  return { claimId, driver, runId, parkId, owner, address, fencing, leaseUntilMs };
}
