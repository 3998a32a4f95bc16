import { CAPS, type FieldFault, type NotificationSentData } from "@interlude/contract";
import { invalidRequest, json, type RequestContext, type Route } from "@interlude/service-kit";
import { type FeedSource, readFeedPage } from "../application/feed-page.ts";

export type FeedDeps = { feed: FeedSource };

export function feedDoor({ feed }: FeedDeps): Route {
  return {
    door: "GET /api/notifications",
    body: "none",
    query: ["cursor", "page_size"],
    handle: (context) => list(feed, context),
  };
}

async function list(feed: FeedSource, context: RequestContext): Promise<Response> {
  const query = parseQuery(context.query);
  if (!query.ok) return invalidRequest(query.faults);
  const page = await readFeedPage(feed, context.actor, query);
  const next_cursor = page.before === undefined ? null : writeCursor(page.before);
  return json(200, { items: page.items.map(shown), next_cursor }, { "cache-control": "no-store" });
}

function shown({ notification_id, sender, message, audience, media, created_at }: NotificationSentData) {
  return { notification_id, sender, message, audience, media, created_at };
}

type Query = { ok: true; before: number | undefined; size: number } | { ok: false; faults: FieldFault[] };

function parseQuery(query: URLSearchParams): Query {
  const faults: FieldFault[] = [];
  const cursor = query.get("cursor");
  const before = cursor === null ? undefined : readCursor(cursor);
  if (cursor !== null && before === undefined)
    faults.push({ path: "cursor", message: "cursor is not one of ours" });
  const sizeText = query.get("page_size") ?? String(CAPS.PAGE_SIZE_DEFAULT);
  if (!/^[1-9]\d{0,8}$/.test(sizeText))
    faults.push({ path: "page_size", message: "page_size must be a whole number from 1" });
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, before, size: Math.min(Number(sizeText), CAPS.PAGE_SIZE_MAX) };
}

const CURSOR = /^feed1\.([1-9]\d{0,15})$/;

function writeCursor(before: number): string {
  return Buffer.from(`feed1.${before}`).toString("base64url");
}

function readCursor(text: string): number | undefined {
  const sequence = CURSOR.exec(Buffer.from(text, "base64url").toString("latin1"))?.[1];
  const before = Number(sequence);
  return Number.isSafeInteger(before) && writeCursor(before) === text ? before : undefined;
}
