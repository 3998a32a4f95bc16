import { type Item, parseListQuery } from "@interlude/contract";
import { type Actor, authorize } from "@interlude/domain";
import type { LogBounds } from "@interlude/event-log";
import { listItems, type ListedItem, waitForSequence } from "@interlude/inbox-model";
import type { Clock } from "@interlude/kernel";
import type { Database } from "@interlude/postgres";
import { restoreLink } from "@interlude/secrets";
import {
  callbackUrl,
  type CallbackLinks,
  invalidRequest,
  json,
  problemResponse,
  type RequestContext,
  type Route,
} from "@interlude/service-kit";

export type ListDeps = {
  database: Database;
  clock: Clock;
  links: CallbackLinks;
  logBounds: () => Promise<LogBounds>;
};

const AT_LEAST_WITHIN_MS = 2_000;

export function listDoor(deps: ListDeps): Route {
  return {
    door: "GET /api/interactions",
    body: "none",
    query: "unchecked",
    handle: (context) => list(deps, context),
  };
}

async function list(deps: ListDeps, context: RequestContext): Promise<Response> {
  const { actor } = context;
  const parsed = parseListQuery(context.query);
  if (!parsed.ok) return invalidRequest(parsed.faults);
  const behind = await waitFor(deps, parsed.value.at_least);
  if (behind !== undefined) return behind;
  if (actor.kind === "ticket")
    return problemResponse({ code: "forbidden", detail: "A ticket lists nothing." });
  const page = await listItems(deps.database, parsed.value, actor, deps.clock.nowMs());
  if (!page.ok) return invalidRequest(page.faults);
  const items = page.value.items.map((listed) => shown(listed, actor, deps.links));
  return json(200, { ...page.value, items }, { "cache-control": "no-store" });
}

/** Waits until the list includes a write that its client has seen acknowledged. */
async function waitFor(deps: ListDeps, sequence: number | undefined): Promise<Response | undefined> {
  if (sequence === undefined) return undefined;
  const { lastSequence } = await deps.logBounds();
  if (sequence > lastSequence)
    return invalidRequest([{ path: "at_least", message: "at_least lies beyond the end of the log" }]);
  if (await waitForSequence(deps.database, sequence, AT_LEAST_WITHIN_MS)) return undefined;
  const detail = "The list does not include that write yet.";
  return problemResponse({ code: "unavailable", detail, headers: { "retry-after": "1" } });
}

/** The link of an external question is put together for those who may answer it, and kept nowhere. */
function shown({ item, external }: ListedItem, reader: Actor, links: CallbackLinks): Item {
  const { baseUrl, keyring } = links;
  if (external?.ticket === undefined || baseUrl === undefined) return item;
  if (authorize(reader, "answer", item) !== "allowed") return item;
  const url = callbackUrl({ keyring, baseUrl }, item.interaction_id, external.ticket);
  const link = restoreLink(external.link, url);
  return { ...item, format_payload: { ...item.format_payload, url: link } };
}
