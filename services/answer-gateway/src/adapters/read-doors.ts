import { isDeliveryEvent, parseWait } from "@interlude/contract";
import type { StoredEntry } from "@interlude/event-log";
import {
  invalidRequest,
  json,
  problemResponse,
  type RequestContext,
  type Route,
  type CallbackLinks,
  tooManyWaits,
  type WaitSlots,
} from "@interlude/service-kit";
import { type Clock, unreachable } from "@interlude/kernel";
import { deliveryEntry } from "../application/delivery-entry.ts";
import { judge, readQuestion } from "../application/read-question.ts";
import { readResult, type ResultDeps } from "../application/read-result.ts";
import { renderItem } from "../application/render-item.ts";
import { forbidden, notFound } from "./refusals.ts";

export type ReadDeps = ResultDeps & { clock: Clock; links: CallbackLinks; waitSlots: WaitSlots };

export function readDoors(deps: ReadDeps): Route[] {
  return [
    { door: "GET /api/interactions/:id", body: "none", handle: (context) => item(deps, context) },
    { door: "GET /api/interactions/:id/events", body: "none", handle: (context) => events(deps, context) },
    {
      door: "GET /api/interactions/:id/result",
      body: "none",
      query: ["wait"],
      handle: (context) => result(deps, context),
    },
    {
      door: "DELETE /api/interactions/:id/result",
      body: "none",
      handle: (context) => acknowledge(deps, context),
    },
  ];
}

async function item(deps: ReadDeps, context: RequestContext): Promise<Response> {
  const outcome = await readQuestion(deps.store, context.param("id"), context.actor, "see");
  if (!outcome.ok) return refused(outcome.code);
  return json(
    200,
    renderItem(outcome.state, outcome.sequence, context.actor, deps.clock.nowMs(), deps.links),
  );
}

async function events(deps: ReadDeps, context: RequestContext): Promise<Response> {
  const entries = await deps.store.readAll(context.param("id"));
  const outcome = judge({ entries, position: entries.at(-1)?.sequence ?? 0 }, context.actor, "see");
  if (!outcome.ok) return refused(outcome.code);
  return json(200, { items: historyOf(entries), next_cursor: null });
}

function refused(code: "not_found" | "forbidden"): Response {
  return code === "not_found" ? notFound() : forbidden("This question is of another run.");
}

/** What came over a channel says what the question was then: it changes no status. */
function historyOf(entries: readonly StoredEntry[]): object[] {
  let status = "pending";
  return entries.flatMap((stored) => {
    const { entry } = stored;
    if ("type" in entry && !isDeliveryEvent(entry)) status = entry.type === "asked" ? "pending" : entry.type;
    return historyEntry(stored, status);
  });
}

/** What a reader is told of an event: what happened, when and by whom; never an answer's content or a secret. */
function historyEntry({ entry, sequence, storedAtMs }: StoredEntry, status: string): object[] {
  if ("unknownType" in entry) return [];
  const at = entry.type === "asked" ? entry.data.created_at : entry.data.at;
  const base = { sequence, type: entry.type, at, recorded_at: new Date(storedAtMs).toISOString() };
  if (isDeliveryEvent(entry)) return [{ ...base, status, ...deliveryEntry(entry) }];
  const { type, data } = entry;
  switch (type) {
    case "asked":
      return [{ ...base, status: "pending", asked_by: data.asker }];
    case "answered":
      return [{ ...base, status: type, answered_by: data.answered_by, via: data.via }];
    case "expired":
      return [{ ...base, status: type }];
    case "cancelled":
      return [
        {
          ...base,
          status: type,
          cancelled_by: data.cancelled_by,
          ...(data.reason === undefined ? {} : { reason: data.reason }),
        },
      ];
    case "failed":
      return [{ ...base, status: type, reason: data.reason }];
  }
}

async function result(deps: ReadDeps, context: RequestContext): Promise<Response> {
  const wait = parseWait(context.query.get("wait"));
  if (!wait.ok) return invalidRequest(wait.faults);
  const waitMs = wait.value * 1_000;
  const slot = waitMs > 0 ? deps.waitSlots.take(context.actor) : undefined;
  if (slot === "none_left") return tooManyWaits();
  try {
    const request = { id: context.param("id"), actor: context.actor, waitMs, signal: context.signal };
    const outcome = await readResult(deps, request);
    switch (outcome.kind) {
      case "result":
        return json(200, outcome.result, NO_STORE);
      case "pending":
        return json(202, { interaction_id: context.param("id"), status: "pending" }, NO_STORE);
      case "shredded":
        return problemResponse({
          code: "not_found",
          detail: "This sensitive answer has been read and is gone.",
        });
      case "refused":
        return outcome.code === "not_found" ? notFound() : forbidden("Only its asker may read this result.");
      default:
        return unreachable(outcome);
    }
  } finally {
    slot?.release();
  }
}

const NO_STORE = { "cache-control": "no-store" };

/** The asker has a sensitive answer safe: its key goes, and with it every copy. */
async function acknowledge(deps: ReadDeps, context: RequestContext): Promise<Response> {
  const id = context.param("id");
  const outcome = await readQuestion(deps.store, id, context.actor, "read_result");
  if (!outcome.ok)
    return outcome.code === "not_found" ? notFound() : forbidden("Only its asker may do this.");
  const { asked, status } = outcome.state;
  if (context.actor.kind !== "subject" || context.actor.subject !== asked.asker)
    return forbidden("Only its asker may do this.");
  if (status === "pending") {
    const message = "id names a question that is still open; a result can be acknowledged once there is one";
    return invalidRequest([{ path: "id", message }], "This question is still open; there is no result yet.");
  }
  if (asked.sensitive) await deps.keys.shred(id);
  return new Response(null, { status: 204 });
}
