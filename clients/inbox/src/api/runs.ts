import { call } from "./http.ts";
import { isStatus, type Status } from "./item.ts";
import { isJsonArray, isJsonObject, own, ownText, type Json, type JsonObject } from "./json.ts";

export const RUN_STATES = ["parked", "resuming", "resumed", "failed"] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Which run, and which of its parks; without one its newest. */
export type RunAddress = { driver: string; runId: string; parkId?: string };

export type Run = {
  driver: string;
  runId: string;
  parkId: string;
  state: RunState;
  remaining: number;
  total: number;
  attempts: number;
  owner: string;
  parkedAt: string;
  updatedAt: string;
  /** What it goes on with is what a person said, and no park. */
  isTurn: boolean;
  reason?: string;
};

export type RunQuestion = {
  id: string;
  status: Status | "purged";
  question: string;
  at: string;
  timeoutAt: string;
  answeredBy?: string;
  reason?: string;
};

export type RunHappening = {
  sequence: number;
  type: string;
  at: string;
  parkId: string;
  questions: number;
  attempt: number;
  parkedAgain: boolean;
  channel?: string;
  reason?: string;
  retryAt?: string;
  by?: string;
};

export type RunFilter = { state: RunState | "all"; driver: string };
export type RunPage = { items: Run[]; nextCursor: string | null };
export type RunQuestionPage = { items: RunQuestion[]; nextCursor: string | null };
export type RunHistory = { items: RunHappening[]; truncated: boolean };

const object = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
const rows = (body: JsonObject): JsonObject[] => {
  const items = own(body, "items");
  return isJsonArray(items) ? items.filter(isJsonObject) : [];
};
const count = (fields: JsonObject, name: string): number => {
  const value = own(fields, name);
  return typeof value === "number" ? value : 0;
};

/** Fields that are absent stay absent. */
function texts<Name extends string>(
  fields: JsonObject,
  names: Readonly<Record<Name, string>>,
): { [name in Name]?: string } {
  const found: { [name in Name]?: string } = {};
  for (const name in names) {
    const value = ownText(fields, names[name]);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

export function isRunState(value: unknown): value is RunState {
  return RUN_STATES.some((state) => state === value);
}

function parseRun(value: Json | undefined): Run | undefined {
  const fields = object(value);
  const [driver, runId, state] = [ownText(fields, "driver"), ownText(fields, "run_id"), own(fields, "state")];
  if (driver === undefined || runId === undefined || !isRunState(state)) return undefined;
  const remaining = count(fields, "remaining");
  const parkedAt = ownText(fields, "parked_at") ?? "";
  return {
    ...{ driver, runId, state, remaining, parkedAt },
    parkId: ownText(fields, "park_id") ?? "",
    total: Math.max(remaining, count(fields, "total")),
    attempts: count(fields, "attempts"),
    owner: ownText(fields, "owner") ?? "",
    updatedAt: ownText(fields, "updated_at") ?? parkedAt,
    isTurn: own(fields, "kind") === "turn",
    ...texts(fields, { reason: "reason" }),
  };
}

function parseQuestion(fields: JsonObject): RunQuestion {
  const status = own(fields, "status");
  return {
    id: ownText(fields, "interaction_id") ?? "",
    status: isStatus(status) ? status : "purged",
    question: ownText(fields, "question") ?? "",
    at: ownText(fields, "at") ?? "",
    timeoutAt: ownText(fields, "timeout_at") ?? "",
    ...texts(fields, { answeredBy: "answered_by", reason: "reason" }),
  };
}

function parseHappening(fields: JsonObject): RunHappening {
  return {
    sequence: count(fields, "sequence"),
    type: ownText(fields, "type") ?? "",
    at: ownText(fields, "at") ?? "",
    parkId: ownText(fields, "park_id") ?? "",
    questions: count(fields, "questions"),
    attempt: count(fields, "attempt"),
    parkedAgain: own(fields, "parked") === true,
    ...texts(fields, { channel: "channel", reason: "reason", retryAt: "retry_at", by: "by" }),
  };
}

const path = ({ driver, runId }: RunAddress, rest = ""): string =>
  `/api/runs/${encodeURIComponent(driver)}/${encodeURIComponent(runId)}${rest}`;

function query(given: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && value !== "") search.set(name, value);
  }
  return search.size === 0 ? "" : `?${search}`;
}

export async function listRuns(
  given: Readonly<{ state?: RunState; driver?: string; interaction_id?: string; cursor?: string }>,
): Promise<RunPage> {
  const body = object(await call(`/api/runs${query(given)}`));
  return {
    items: rows(body).flatMap((row) => parseRun(row) ?? []),
    nextCursor: ownText(body, "next_cursor") ?? null,
  };
}

export async function getRun(address: RunAddress): Promise<Run | undefined> {
  return parseRun(await call(path(address, query({ park_id: address.parkId }))));
}

export async function listRunQuestions(
  address: RunAddress,
  state: "waiting" | "ended",
  cursor?: string,
): Promise<RunQuestionPage> {
  const search = query({ state, park_id: address.parkId, cursor });
  const body = object(await call(path(address, `/questions${search}`)));
  return { items: rows(body).map(parseQuestion), nextCursor: ownText(body, "next_cursor") ?? null };
}

export async function getRunHistory(address: RunAddress): Promise<RunHistory> {
  const body = object(await call(path(address, "/events")));
  return { items: rows(body).map(parseHappening), truncated: own(body, "truncated") === true };
}

export async function replayRun(address: RunAddress): Promise<Run | undefined> {
  return parseRun(await call(path(address, "/replay"), { method: "POST", body: {} }));
}
