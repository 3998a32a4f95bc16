import {
  codePoints,
  CAPS,
  type ClaimView,
  driverView,
  parseDriverBody,
  parseEmptyBody,
  parseWait,
} from "@interlude/contract";
import type { DriverStore } from "@interlude/event-log";
import { unreachable } from "@interlude/kernel";
import {
  invalidRequest,
  json,
  problemResponse,
  type RequestContext,
  type Route,
  tooManyWaits,
  type WaitSlots,
} from "@interlude/service-kit";
import type { TakenClaim } from "../application/claim-view.ts";
import { registerDriver, type RegisterDeps } from "../application/register-driver.ts";
import type { TakeClaim } from "../application/take-claim.ts";
import { subjectOf } from "./subject-of.ts";

export type DriverDoorDeps = {
  register: RegisterDeps;
  drivers: Pick<DriverStore, "find">;
  take: TakeClaim;
  view: (taken: TakenClaim) => Promise<ClaimView>;
  giveBack: (taken: TakenClaim, reason: string) => void;
  waitSlots: WaitSlots;
};

export function driverDoors(deps: DriverDoorDeps): Route[] {
  return [
    { door: "POST /api/drivers", body: "json", handle: (context) => register(deps, context) },
    {
      door: "POST /api/drivers/:name/claims",
      body: "optional",
      query: ["wait"],
      handle: (context) => claim(deps, context),
    },
  ];
}

async function register(deps: DriverDoorDeps, context: RequestContext): Promise<Response> {
  const parsed = parseDriverBody(context.body);
  if (!parsed.ok) return invalidRequest(parsed.faults, "The driver is not valid.");
  const outcome = await registerDriver(deps.register, subjectOf(context), parsed.value, context.trace);
  switch (outcome.kind) {
    case "registered":
      return json(outcome.isNew ? 201 : 200, driverView(outcome.driver));
    case "invalid":
      return invalidRequest(outcome.faults, "The driver is not valid.");
    case "not_found":
      return noSuchDriver();
    case "too_short": {
      const detail = `A question is open until ${outcome.deadline}, beyond what this retention would keep its run for.`;
      return problemResponse({ code: "idempotency_conflict", detail });
    }
    default:
      return unreachable(outcome);
  }
}

async function claim(deps: DriverDoorDeps, context: RequestContext): Promise<Response> {
  const idempotencyKey = context.header("idempotency-key");
  const wait = parseWait(context.query.get("wait"));
  const body = parseEmptyBody(context.body);
  const faults = [
    ...(wait.ok ? [] : wait.faults),
    ...keyFaults(idempotencyKey),
    ...(body.ok ? [] : body.faults),
  ];
  if (!wait.ok || faults.length > 0) return invalidRequest(faults);
  const driver = context.param("name");
  const owner = subjectOf(context);
  if ((await deps.drivers.find(driver))?.owner !== owner) return noSuchDriver();

  const waitMs = wait.value * 1_000;
  const slot = waitMs > 0 ? deps.waitSlots.take(context.actor) : undefined;
  if (slot === "none_left") return tooManyWaits();
  try {
    const { signal } = context;
    const taken = await deps.take({ driver, owner, idempotencyKey, waitMs, signal });
    if (taken === undefined) return new Response(null, { status: 204, headers: NO_STORE });
    return json(200, await told(deps, taken, idempotencyKey), NO_STORE);
  } finally {
    slot?.release();
  }
}

/** A claim that cannot be told is nobody's; under a key it is asked for again. */
async function told(deps: DriverDoorDeps, taken: TakenClaim, key: string | undefined): Promise<ClaimView> {
  try {
    return await deps.view(taken);
  } catch (error) {
    if (key === undefined) deps.giveBack(taken, "the continuation could not be put together");
    throw error;
  }
}

const NO_STORE = { "cache-control": "no-store" };

function keyFaults(key: string | undefined) {
  if (key === undefined) return [];
  const length = codePoints(key);
  if (length >= 1 && length <= CAPS.IDEMPOTENCY_KEY_MAX_CHARS) return [];
  return [{ path: "Idempotency-Key", message: "Idempotency-Key must have 1 to 255 characters" }];
}

export function noSuchDriver(): Response {
  return problemResponse({ code: "not_found", detail: "You have no driver of that name." });
}
