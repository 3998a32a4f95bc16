import {
  CAPS,
  parseEmptyBody,
  parseParkBody,
  parseRunListQuery,
  parseRunQuestionsQuery,
  type RunHistoryPage,
  type RunQuestionPage,
  type RunView,
} from "@interlude/contract";
import type { ParkAddress } from "@interlude/event-log";
import { subjectToken, unreachable } from "@interlude/kernel";
import type { ParkRow, RunFilter, RunList } from "@interlude/run-model";
import type { Parsed } from "@interlude/contract";
import {
  invalidRequest,
  json,
  problemResponse,
  type RequestContext,
  type Route,
} from "@interlude/service-kit";
import { type ParkDeps, type ParkOutcome, parkRun } from "../application/park-run.ts";
import type { ReplayOutcome } from "../application/replay-run.ts";
import type { RunQuestionRequest } from "../application/run-questions.ts";
import { viewOfReleased, viewOfRow } from "../application/run-view.ts";
import { subjectOf } from "./subject-of.ts";

/** Runs as the read model has them. Each @throws ServiceFailure `database_unavailable` */
export interface RunQueries {
  /** Until the model includes what was stored before; `false`: it is further behind than can be waited for. */
  catchUp(): Promise<boolean>;
  list(filter: RunFilter): Promise<Parsed<RunList>>;
  /** With `parkId`, the park that is shown under it. */
  newest(driver: string, runToken: string, parkId?: string): Promise<ParkRow | undefined>;
  /** The newest park of the run whose resume has failed. */
  failed(driver: string, runToken: string): Promise<ParkRow | undefined>;
}

export type RunDoorDeps = {
  park: ParkDeps;
  queries: RunQueries;
  replay: (address: ParkAddress, by: string, trace: RequestContext["trace"]) => Promise<ReplayOutcome>;
  questions: (address: ParkAddress, request: RunQuestionRequest) => Promise<Parsed<RunQuestionPage>>;
  history: (driver: string, runToken: string) => Promise<RunHistoryPage>;
};

export function runDoors(deps: RunDoorDeps): Route[] {
  return [
    {
      door: "POST /api/runs/:driver/:runId/park",
      body: "json",
      maxBytes: CAPS.PARK_MAX_BYTES,
      handle: (context) => park(deps, context),
    },
    {
      door: "GET /api/runs",
      body: "none",
      query: "unchecked",
      handle: (context) => list(deps, context),
    },
    {
      door: "GET /api/runs/:driver/:runId",
      body: "none",
      query: ["park_id"],
      handle: (context) => show(deps, context),
    },
    {
      door: "GET /api/runs/:driver/:runId/questions",
      body: "none",
      query: "unchecked",
      handle: (context) => questions(deps, context),
    },
    {
      door: "GET /api/runs/:driver/:runId/events",
      body: "none",
      handle: (context) => history(deps, context),
    },
    {
      door: "POST /api/runs/:driver/:runId/replay",
      body: "optional",
      handle: (context) => replay(deps, context),
    },
  ];
}

async function park(deps: RunDoorDeps, context: RequestContext): Promise<Response> {
  const parsed = parseParkBody(context.body);
  if (!parsed.ok) return invalidRequest(parsed.faults, "The park is not valid.");
  const { credential, trace } = context;
  const outcome = await parkRun(deps.park, {
    owner: subjectOf(context),
    driver: context.param("driver"),
    runId: context.param("runId"),
    body: parsed.value,
    ...(credential?.claim === undefined ? {} : { fromClaim: credential.claim.claimId }),
    ...(trace === undefined ? {} : { trace }),
  });
  return parkResponse(outcome);
}

function parkResponse(outcome: ParkOutcome): Response {
  switch (outcome.kind) {
    case "parked":
      return json(201, { park_id: outcome.parkId, remaining: outcome.remaining });
    case "not_found": {
      const { faults } = outcome;
      if (faults === undefined)
        return problemResponse({ code: "not_found", detail: "You have no driver of that name." });
      const detail = "A park waits for async questions that you asked for exactly this run.";
      return problemResponse({ code: "not_found", detail, faults });
    }
    case "too_large": {
      const detail = `The park as stored may have ${CAPS.EVENT_MAX_BYTES} bytes at most.`;
      return problemResponse({ code: "payload_too_large", detail });
    }
    case "conflict": {
      const detail = "This park_id stands for another set of questions.";
      return problemResponse({ code: "idempotency_conflict", detail });
    }
    case "lease_lost":
      return problemResponse({ code: "lease_lost", detail: "The claim by which the run parks is over." });
    case "unavailable":
      return newerNeeded();
    default:
      return unreachable(outcome);
  }
}

async function list(deps: RunDoorDeps, context: RequestContext): Promise<Response> {
  const parsed = parseRunListQuery(context.query);
  if (!parsed.ok) return invalidRequest(parsed.faults);
  // A list that is a little old is better than none: it tells what is the matter.
  await deps.queries.catchUp();
  const { interaction_id: interactionId, ...rest } = parsed.value;
  const page = await deps.queries.list({
    ...rest,
    ...(interactionId === undefined ? {} : { interactionId }),
    ...(isOperator(context) ? {} : { owner: subjectOf(context) }),
    limit: CAPS.PAGE_SIZE_DEFAULT,
  });
  if (!page.ok) return invalidRequest(page.faults);
  const { items, nextCursor } = page.value;
  return json(200, { items: items.map(viewOfRow), next_cursor: nextCursor }, NO_STORE);
}

async function show(deps: RunDoorDeps, context: RequestContext): Promise<Response> {
  const found = await find(deps, context, context.query.get("park_id") ?? undefined);
  return "refused" in found ? found.refused : json(200, viewOfRow(found.row), NO_STORE);
}

async function questions(deps: RunDoorDeps, context: RequestContext): Promise<Response> {
  const parsed = parseRunQuestionsQuery(context.query);
  if (!parsed.ok) return invalidRequest(parsed.faults);
  const { park_id: parkId, ...request } = parsed.value;
  const found = await find(deps, context, parkId);
  if ("refused" in found) return found.refused;
  const page = await deps.questions(found.row, request);
  return page.ok ? json(200, page.value, NO_STORE) : invalidRequest(page.faults);
}

async function history(deps: RunDoorDeps, context: RequestContext): Promise<Response> {
  const found = await find(deps, context);
  if ("refused" in found) return found.refused;
  return json(200, await deps.history(found.row.driver, found.row.runToken), NO_STORE);
}

/** The run of the path, for who may see it. */
async function find(
  { queries }: RunDoorDeps,
  context: RequestContext,
  parkId?: string,
): Promise<{ row: ParkRow; isWhole: boolean } | { refused: Response }> {
  const isWhole = await queries.catchUp();
  const row = await queries.newest(context.param("driver"), subjectToken(context.param("runId")), parkId);
  if (row !== undefined && isVisible(row, context)) return { row, isWhole };
  return { refused: isWhole ? noSuchRun() : behind() };
}

async function replay(deps: RunDoorDeps, context: RequestContext): Promise<Response> {
  const body = parseEmptyBody(context.body);
  if (!body.ok) return invalidRequest(body.faults);
  const driver = context.param("driver");
  const runToken = subjectToken(context.param("runId"));
  const found = await find(deps, context);
  if ("refused" in found) return found.refused;
  const failed = await deps.queries.failed(driver, runToken);
  if (failed === undefined) return found.isWhole ? notFailed() : behind();
  const address = { driver, runToken, parkToken: failed.parkToken };
  const outcome = await deps.replay(address, subjectOf(context), context.trace);
  if (outcome.kind === "unavailable") return newerNeeded();
  if (outcome.kind === "not_failed") return notFailed();
  const view: RunView = viewOfReleased(outcome.park);
  return json(200, view);
}

const NO_STORE = { "cache-control": "no-store" };

function isOperator({ credential }: RequestContext): boolean {
  return credential?.roles.includes("operator") ?? false;
}

function isVisible(row: ParkRow, context: RequestContext): boolean {
  return isOperator(context) || row.owner === subjectOf(context);
}

function noSuchRun(): Response {
  return problemResponse({ code: "not_found", detail: "There is no such run." });
}

function notFailed(): Response {
  const detail = "Only a resume that has failed can be replayed.";
  return problemResponse({ code: "idempotency_conflict", detail });
}

function behind(): Response {
  const detail = "What is known of runs is behind; try again.";
  return problemResponse({ code: "unavailable", detail, headers: { "retry-after": "1" } });
}

export function newerNeeded(): Response {
  const detail = "A newer version of the service must handle this run.";
  return problemResponse({ code: "unavailable", detail, headers: { "retry-after": "5" } });
}
