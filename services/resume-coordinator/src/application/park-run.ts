import { CAPS, type FieldFault, formatInstant, type ParkBody, parseInstant } from "@interlude/contract";
import {
  type Interaction,
  type KnownPark,
  type ParkCommand,
  parkSet,
  parkSetId,
  remainingOf,
} from "@interlude/domain";
import {
  type DriverStore,
  handleRunCommand,
  type History,
  type InteractionStore,
  type Log,
  parkAddress,
  readHistories,
  type RunStore,
  type TraceContext,
} from "@interlude/event-log";
import type { ParkedAgain } from "./parked-again.ts";
import { stateOf } from "./read-resolutions.ts";

export type ParkDeps = {
  log: Log;
  interactions: InteractionStore;
  runs: RunStore;
  drivers: Pick<DriverStore, "find">;
  parkedAgain: Pick<ParkedAgain, "note">;
};

export type ParkRequest = {
  owner: string;
  driver: string;
  runId: string;
  body: ParkBody;
  /** The claim by whose token the run parks again. */
  fromClaim?: string;
  trace?: TraceContext;
};

export type ParkOutcome =
  | { kind: "parked"; parkId: string; remaining: number }
  /** No such driver, or a question that is not one of this run's; then it says which. */
  | { kind: "not_found"; faults?: readonly FieldFault[] }
  | { kind: "too_large" }
  | { kind: "conflict" }
  | { kind: "lease_lost" }
  | { kind: "unavailable" };

/** Stops a run until all of these questions have ended. Needs the log alone. */
export async function parkRun(deps: ParkDeps, request: ParkRequest): Promise<ParkOutcome> {
  const { log, runs, drivers } = deps;
  const { owner, driver, runId, body } = request;
  const found = await drivers.find(driver);
  if (found?.owner !== owner) return { kind: "not_found" };
  const address = parkAddress(driver, runId, body.interaction_ids);
  const command = {
    type: "Park",
    ...{ driver, runId, owner },
    parkId: body.park_id ?? parkSetId(body.interaction_ids),
    interactionIds: body.interaction_ids,
    ...(request.fromClaim === undefined ? {} : { fromClaim: request.fromClaim }),
  } as const;
  if (isTooLarge(command)) return { kind: "too_large" };
  const read = await readQuestions(deps, request);
  if (!read.ok) return { kind: "not_found", faults: read.faults };
  const handled = await handleRunCommand(
    runs,
    address,
    (nowMs) => ({ ...command, nowMs }),
    () => log.clock.nowMs(),
    request.trace === undefined ? {} : { trace: request.trace },
  );
  if (handled.ok) {
    const { fromClaim } = request;
    if (fromClaim !== undefined && !handled.changed && isAwaited(handled.park)) {
      await deps.parkedAgain.note(fromClaim);
    }
    const { park_id: parkId, at, interaction_ids } = handled.park.parked;
    return { kind: "parked", parkId, remaining: remainingAt(interaction_ids, read.endedAt, at) };
  }
  // `before` is not given, so every no is the domain's.
  if (!("refusal" in handled)) return { kind: "unavailable" };
  const { code } = handled.refusal;
  if (code === "idempotency_conflict") return { kind: "conflict" };
  return { kind: code === "lease_lost" ? code : "unavailable" };
}

/** The run goes on from it. What is claimed itself is what it goes on from now. */
function isAwaited({ status }: KnownPark): boolean {
  return status === "parked" || status === "requested" || status === "waiting";
}

/** As it will be stored, its time included. */
function isTooLarge(command: Omit<ParkCommand, "type" | "nowMs">): boolean {
  const { interactionIds, ...rest } = command;
  const data = { ...rest, at: formatInstant(0), interaction_ids: parkSet(interactionIds) };
  // Names of its own members are some bytes longer than those of the command.
  return Buffer.byteLength(JSON.stringify(data)) + 64 > CAPS.EVENT_MAX_BYTES;
}

/** As of when it was parked, so that a repeat is answered the same. */
export function remainingAt(
  ids: readonly string[],
  endedAt: ReadonlyMap<string, string>,
  parkedAt: string,
): number {
  const parkedAtMs = parseInstant(parkedAt) ?? 0;
  return remainingOf(ids, (id) => {
    const at = endedAt.get(id);
    return at !== undefined && (parseInstant(at) ?? 0) <= parkedAtMs;
  });
}

type Questions =
  { ok: true; endedAt: ReadonlyMap<string, string> } | { ok: false; faults: readonly FieldFault[] };

/** Which have ended, and when; or which are not async questions of this subject for exactly this run. */
async function readQuestions(
  { log, interactions }: ParkDeps,
  { owner, driver, runId, body }: ParkRequest,
): Promise<Questions> {
  const ids = body.interaction_ids;
  const endedAt = new Map<string, string>();
  const unique = [...new Set(ids)];
  for await (const histories of readHistories(log, interactions, unique, isAsked)) {
    const faults: FieldFault[] = [];
    for (const { id, history } of histories) {
      const state = stateOf(history);
      if (!isOf(state, owner, driver, runId)) faults.push(faultAt(ids.indexOf(id)));
      const at = endOf(state);
      if (at !== undefined) endedAt.set(id, at);
    }
    // The first that are wrong are enough to be told: looking for each of ten thousand is not.
    if (faults.length > 0) return { ok: false, faults };
  }
  return { ok: true, endedAt };
}

function isAsked({ entries }: History): boolean {
  return entries.length > 0;
}

function isOf(state: Interaction, owner: string, driver: string, runId: string): boolean {
  if (state.status === "unasked") return false;
  const { asker, mode, run } = state.asked;
  return mode === "async" && asker === owner && run?.driver === driver && run.run_id === runId;
}

function endOf(state: Interaction): string | undefined {
  switch (state.status) {
    case "answered":
      return state.answered.at;
    case "expired":
      return state.expired.at;
    case "cancelled":
      return state.cancelled.at;
    case "failed":
      return state.failed.at;
    case "unasked":
    case "pending":
      return undefined;
  }
}

function faultAt(index: number): FieldFault {
  return {
    path: `/interaction_ids/${index}`,
    message: `interaction_ids[${index}] names no async question of yours for this run`,
  };
}
