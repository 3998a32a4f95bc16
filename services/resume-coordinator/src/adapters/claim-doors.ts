import {
  formatInstant,
  parseCompleteBody,
  parseEmptyBody,
  parseFailBody,
  type ResolutionPage,
  type RunParkedData,
} from "@interlude/contract";
import { type KnownPark, runStateOf } from "@interlude/domain";
import { unreachable } from "@interlude/kernel";
import {
  invalidRequest,
  json,
  problemResponse,
  type RequestContext,
  type Route,
} from "@interlude/service-kit";
import {
  type ClaimEnd,
  type ClaimOutcome,
  handleClaim,
  type LiveClaim,
  type OwnClaimDeps,
  readLiveClaim,
} from "../application/own-claim.ts";
import { readCursor } from "../application/resolution-pages.ts";
import { newerNeeded } from "./run-doors.ts";
import { subjectOf } from "./subject-of.ts";

export type ClaimDoorDeps = {
  own: OwnClaimDeps;
  page: (parked: RunParkedData, start: number) => Promise<ResolutionPage>;
};

export function claimDoors(deps: ClaimDoorDeps): Route[] {
  return [
    {
      door: "POST /api/claims/:claimId/heartbeat",
      body: "optional",
      handle: (context) => heartbeat(deps, context),
    },
    {
      door: "POST /api/claims/:claimId/complete",
      body: "optional",
      handle: (context) => complete(deps, context),
    },
    { door: "POST /api/claims/:claimId/fail", body: "json", handle: (context) => fail(deps, context) },
    {
      door: "GET /api/claims/:claimId/resolutions",
      body: "none",
      query: ["cursor"],
      handle: (context) => resolutions(deps, context),
    },
  ];
}

function heartbeat(deps: ClaimDoorDeps, context: RequestContext): Promise<Response> | Response {
  const parsed = parseEmptyBody(context.body);
  return parsed.ok ? say(deps, context, { type: "Renew" }) : invalidRequest(parsed.faults);
}

function complete(deps: ClaimDoorDeps, context: RequestContext): Promise<Response> | Response {
  const parsed = parseCompleteBody(context.body);
  if (!parsed.ok) return invalidRequest(parsed.faults);
  return say(deps, context, { type: "Complete", ...parsed.value });
}

function fail(deps: ClaimDoorDeps, context: RequestContext): Promise<Response> | Response {
  const parsed = parseFailBody(context.body);
  if (!parsed.ok) return invalidRequest(parsed.faults);
  return say(deps, context, { type: "Fail", ...parsed.value });
}

async function say(deps: ClaimDoorDeps, context: RequestContext, end: ClaimEnd): Promise<Response> {
  const claim = { claimId: context.param("claimId"), subject: subjectOf(context) };
  const outcome = await handleClaim(deps.own, claim, end, context.trace);
  if (outcome.kind !== "done") return refused(outcome.kind);
  return json(200, { claim_id: claim.claimId, ...claimState(outcome.park) });
}

/** Where the claim stands now, and until when. */
function claimState(park: KnownPark): Record<string, string | number> {
  const state = runStateOf(park);
  if (park.status === "claimed") return { state, lease_until: formatInstant(park.claim.leaseUntilMs) };
  if (park.status === "waiting") return { state, retry_at: formatInstant(park.retryAtMs) };
  return { state };
}

async function resolutions(deps: ClaimDoorDeps, context: RequestContext): Promise<Response> {
  const claim = { claimId: context.param("claimId"), subject: subjectOf(context) };
  const found = await readLiveClaim(deps.own, claim);
  if (found.kind !== "live") return refused(found.kind);
  const { parked } = found.taken;
  const start = readCursor(context.query.get("cursor"), parked.interaction_ids.length);
  if (!start.ok) return invalidRequest(start.faults);
  return json(200, await deps.page(parked, start.value), { "cache-control": "no-store" });
}

type No = Exclude<ClaimOutcome["kind"] | LiveClaim["kind"], "done" | "live">;

function refused(kind: No): Response {
  switch (kind) {
    case "not_found":
      return problemResponse({ code: "not_found", detail: "There is no such claim." });
    case "lease_lost": {
      const detail = "The lease of this claim has run out, or it is over: another may have the run by now.";
      return problemResponse({ code: "lease_lost", detail });
    }
    case "not_parked": {
      const message = "parked: nothing was parked under this claim that the run could go on from; park first";
      return invalidRequest([{ path: "/parked", message }], "Nothing would go on with the run.");
    }
    case "unavailable":
      return newerNeeded();
    default:
      return unreachable(kind);
  }
}
