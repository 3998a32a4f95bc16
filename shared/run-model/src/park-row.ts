import type { RunState } from "@interlude/contract";
import type { Fragment, Queries } from "@interlude/postgres";
import type { ParkAddress } from "./fold-run-batch.ts";

/** A park as the model knows it. */
export type ParkRow = ParkAddress & {
  /** The sequence of its `parked` in RUNS: what tells it from all others. */
  parkSeq: number;
  runId: string;
  parkId: string;
  owner: string;
  state: RunState;
  total: number;
  /** Questions that have not ended. */
  remaining: number;
  attempts: number;
  /** Why the last attempt gave up. */
  reason: string | undefined;
  /** Of the claim that has not ended by an event; its lease, which may have run out, is `availableAtMs`. */
  claimId: string | undefined;
  /** Of its last claim. */
  fencing: number | undefined;
  /** From when on it may be claimed, while it is `resuming`. */
  availableAtMs: number | undefined;
  parkedAtMs: number;
  updatedAtMs: number;
  /** Of its last event in RUNS. */
  sequence: number;
};

/** As the columns of `parkColumns` come. */
export type ParkRecord = {
  park_seq: number;
  driver: string;
  run_token: string;
  park_token: string;
  run_id: string;
  park_id: string;
  owner: string;
  state: RunState;
  total: number;
  remaining: number;
  attempts: number;
  reason: string | null;
  claim_id: string | null;
  fencing: number | null;
  available_at_ms: number | null;
  parked_at_ms: number;
  updated_at_ms: number;
  sequence: number;
};

/** The columns of a park, of a table named `p`. */
export function parkColumns(sql: Queries): Fragment {
  return sql`p.park_seq, p.driver, p.run_token, p.park_token, p.run_id, p.park_id, p.owner, p.state, p.total,
    p.remaining, p.attempts, p.reason, p.claim_id, p.fencing, p.available_at_ms, p.parked_at_ms, p.updated_at_ms,
    p.sequence`;
}

export function parkRow(record: ParkRecord): ParkRow {
  return {
    parkSeq: record.park_seq,
    driver: record.driver,
    runToken: record.run_token,
    parkToken: record.park_token,
    runId: record.run_id,
    parkId: record.park_id,
    owner: record.owner,
    state: record.state,
    total: record.total,
    remaining: record.remaining,
    attempts: record.attempts,
    reason: record.reason ?? undefined,
    claimId: record.claim_id ?? undefined,
    fencing: record.fencing ?? undefined,
    availableAtMs: record.available_at_ms ?? undefined,
    parkedAtMs: record.parked_at_ms,
    updatedAtMs: record.updated_at_ms,
    sequence: record.sequence,
  };
}
