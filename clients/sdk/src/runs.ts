import { call, type Session } from "./session.ts";
import { count, fieldsOf, list, oneOf, optionalText, present, text } from "./wire/fields.ts";

const RUN_STATES = ["parked", "resuming", "resumed", "failed"] as const;
export type RunState = (typeof RUN_STATES)[number];

/** A run by its newest park. */
export type RunStatus = Readonly<{
  driver: string;
  runId: string;
  parkId: string;
  state: RunState;
  /** Questions that have not ended. */
  remaining: number;
  attempts: number;
  /** Why the last attempt gave up. */
  reason?: string | undefined;
}>;

export type RunQuery = Readonly<{
  state?: RunState | undefined;
  driver?: string | undefined;
  /** Runs that are parked on this question. */
  interactionId?: string | undefined;
  cursor?: string | undefined;
}>;

export type RunPage = Readonly<{ items: readonly RunStatus[]; nextCursor: string | undefined }>;

function runOf(value: unknown): RunStatus {
  const fields = fieldsOf(value, "run");
  return present({
    driver: text(fields, "driver"),
    runId: text(fields, "run_id"),
    parkId: text(fields, "park_id"),
    state: oneOf(fields, "state", RUN_STATES),
    remaining: count(fields, "remaining"),
    attempts: count(fields, "attempts"),
    reason: optionalText(fields, "reason"),
  });
}

function runPath(driver: string, runId: string, rest = ""): string {
  return `api/runs/${encodeURIComponent(driver)}/${encodeURIComponent(runId)}${rest}`;
}

export async function listRuns(session: Session, query: RunQuery = {}): Promise<RunPage> {
  const { state, driver, interactionId, cursor } = query;
  const asked = { state, driver, interaction_id: interactionId, cursor };
  const { body } = await call(session, { method: "GET", path: "api/runs", query: asked });
  const fields = fieldsOf(body, "list of runs");
  return { items: list(fields, "items").map(runOf), nextCursor: optionalText(fields, "next_cursor") };
}

export async function getRun(session: Session, driver: string, runId: string): Promise<RunStatus> {
  return runOf((await call(session, { method: "GET", path: runPath(driver, runId) })).body);
}

export async function replayRun(session: Session, driver: string, runId: string): Promise<RunStatus> {
  const path = runPath(driver, runId, "/replay");
  return runOf((await call(session, { method: "POST", path, body: "{}" })).body);
}
