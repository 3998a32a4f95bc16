import { call, type Session } from "./session.ts";
import {
  count,
  fieldsOf,
  flag,
  list,
  oneOf,
  optionalCount,
  optionalText,
  present,
  text,
} from "./wire/fields.ts";

const QUESTION_STATES = ["pending", "answered", "expired", "cancelled", "failed", "purged"] as const;
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
  /** Who asked; the run goes on as them. */
  owner?: string | undefined;
  /** Questions of the park, ended or not. */
  total?: number | undefined;
  parkedAt?: string | undefined;
  updatedAt?: string | undefined;
}>;

/** A question that a run waits for, or waited for. What was answered stands with the question itself. */
export type RunQuestion = Readonly<{
  interactionId: string;
  /** `purged`: it is not kept any more. */
  status: (typeof QUESTION_STATES)[number];
  question?: string | undefined;
  answerFormat?: string | undefined;
  timeoutAt?: string | undefined;
  answeredBy?: string | undefined;
  reason?: string | undefined;
  /** When it ended. */
  at?: string | undefined;
}>;

export type RunQuestionQuery = Readonly<{
  state?: "waiting" | "ended" | undefined;
  /** Of this park; the newest without it. */
  parkId?: string | undefined;
  cursor?: string | undefined;
}>;

export type RunQuestionPage = Readonly<{ items: readonly RunQuestion[]; nextCursor: string | undefined }>;

/** One thing that happened to a run; `type` is the service's word for it. */
export type RunHistoryEntry = Readonly<{
  sequence: number;
  type: string;
  at: string;
  parkId: string;
  /** Of `parked`: how many it waits for. */
  questions?: number | undefined;
  attempt?: number | undefined;
  reason?: string | undefined;
  retryAt?: string | undefined;
  /** Of `replayed`: who put it back. */
  by?: string | undefined;
}>;

/** Oldest first; `truncated` when there is more before the first. */
export type RunHistory = Readonly<{ items: readonly RunHistoryEntry[]; truncated: boolean }>;

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
    owner: optionalText(fields, "owner"),
    total: optionalCount(fields, "total"),
    parkedAt: optionalText(fields, "parked_at"),
    updatedAt: optionalText(fields, "updated_at"),
  });
}

function questionOf(value: unknown): RunQuestion {
  const fields = fieldsOf(value, "question");
  return present({
    interactionId: text(fields, "interaction_id"),
    status: oneOf(fields, "status", QUESTION_STATES),
    question: optionalText(fields, "question"),
    answerFormat: optionalText(fields, "answer_format"),
    timeoutAt: optionalText(fields, "timeout_at"),
    answeredBy: optionalText(fields, "answered_by"),
    reason: optionalText(fields, "reason"),
    at: optionalText(fields, "at"),
  });
}

function entryOf(value: unknown): RunHistoryEntry {
  const fields = fieldsOf(value, "entry");
  return present({
    sequence: count(fields, "sequence"),
    type: text(fields, "type"),
    at: text(fields, "at"),
    parkId: text(fields, "park_id"),
    questions: optionalCount(fields, "questions"),
    attempt: optionalCount(fields, "attempt"),
    reason: optionalText(fields, "reason"),
    retryAt: optionalText(fields, "retry_at"),
    by: optionalText(fields, "by"),
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

export async function getRun(
  session: Session,
  driver: string,
  runId: string,
  parkId?: string,
): Promise<RunStatus> {
  const asked = { method: "GET", path: runPath(driver, runId), query: { park_id: parkId } } as const;
  return runOf((await call(session, asked)).body);
}

export async function runQuestions(
  session: Session,
  driver: string,
  runId: string,
  query: RunQuestionQuery = {},
): Promise<RunQuestionPage> {
  const { state, parkId, cursor } = query;
  const path = runPath(driver, runId, "/questions");
  const { body } = await call(session, { method: "GET", path, query: { state, park_id: parkId, cursor } });
  const fields = fieldsOf(body, "questions of a run");
  return { items: list(fields, "items").map(questionOf), nextCursor: optionalText(fields, "next_cursor") };
}

export async function runHistory(session: Session, driver: string, runId: string): Promise<RunHistory> {
  const { body } = await call(session, { method: "GET", path: runPath(driver, runId, "/events") });
  const fields = fieldsOf(body, "history of a run");
  return { items: list(fields, "items").map(entryOf), truncated: flag(fields, "truncated") };
}

export async function replayRun(session: Session, driver: string, runId: string): Promise<RunStatus> {
  const path = runPath(driver, runId, "/replay");
  return runOf((await call(session, { method: "POST", path, body: "{}" })).body);
}
