import { call } from "./http.ts";
import { parseItem, parseMedia, type Item, type Media } from "./item.ts";
import { isJsonArray, isJsonObject, own, ownText, type Json, type JsonObject } from "./json.ts";

export type Sort = "-created_at" | "created_at" | "deadline";
export type StatusFilter = "pending" | "answered" | "expired" | "cancelled" | "failed" | "all";
export type Filter = { status: StatusFilter; q: string; sort: Sort };
export type ItemPage = { items: Item[]; total: number; truncated: boolean; nextCursor: string | null };
export type Me = { subject: string; roles: readonly string[] };
export type HistoryEntry = { sequence: number; type: string; at: string; answered_by?: string };
export type Notification = {
  id: string;
  sender: string;
  message: string;
  at: string;
  media: readonly Media[];
};

const object = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
const array = (value: Json | undefined): readonly Json[] => (isJsonArray(value) ? value : []);
const path = (id: string, rest = ""): string => `/api/interactions/${encodeURIComponent(id)}${rest}`;

type ListQuery = {
  filter: Filter;
  pageSize: number;
  cursor?: string;
  atLeast?: string;
  signal?: AbortSignal;
};

export async function listQuestions(query: ListQuery): Promise<ItemPage> {
  const { filter, pageSize, cursor, atLeast, signal } = query;
  const search = new URLSearchParams({
    status: filter.status,
    sort: filter.sort,
    page_size: String(pageSize),
  });
  if (filter.q !== "") search.set("q", filter.q);
  if (cursor !== undefined) search.set("cursor", cursor);
  if (atLeast !== undefined) search.set("at_least", atLeast);
  const body = object(await call(`/api/interactions?${search}`, signal === undefined ? {} : { signal }));
  const total = own(body, "total");
  return {
    items: array(own(body, "items")).flatMap((entry) => parseItem(entry) ?? []),
    total: typeof total === "number" ? total : 0,
    truncated: own(body, "truncated") === true,
    nextCursor: ownText(body, "next_cursor") ?? null,
  };
}

export async function getQuestion(id: string, signal: AbortSignal): Promise<Item | undefined> {
  return parseItem(await call(path(id), { signal }));
}

export async function getHistory(id: string): Promise<HistoryEntry[]> {
  const body = await call(path(id, "/events"));
  const entries = isJsonArray(body) ? body : array(own(object(body), "items"));
  return entries.filter(isJsonObject).map((entry) => {
    const sequence = own(entry, "sequence");
    const by = ownText(entry, "answered_by");
    return {
      sequence: typeof sequence === "number" ? sequence : 0,
      type: ownText(entry, "type") ?? "",
      at: ownText(entry, "at") ?? "",
      ...(by === undefined ? {} : { answered_by: by }),
    };
  });
}

export type Submission = { answer: Json; params?: { [key: string]: string } };
export type Recorded = { sequence: number; answered_by: string; answered_at: string };

/** The key makes a repeat after a lost reply the same answer, not a conflict with oneself. */
export async function sendAnswer(id: string, submission: Submission, key: string): Promise<Recorded> {
  const body = object(
    await call(path(id, "/answer"), {
      method: "POST",
      body: submission,
      headers: { "idempotency-key": key },
    }),
  );
  const sequence = own(body, "sequence");
  return {
    sequence: typeof sequence === "number" ? sequence : 0,
    answered_by: ownText(body, "answered_by") ?? "",
    answered_at: ownText(body, "answered_at") ?? "",
  };
}

export async function cancelQuestion(id: string, reason: string): Promise<void> {
  await call(path(id, "/cancel"), { method: "POST", body: reason === "" ? {} : { reason } });
}

export async function getMe(): Promise<Me> {
  const body = object(await call("/api/me"));
  return {
    subject: ownText(body, "subject") ?? "",
    roles: array(own(body, "roles")).filter((role) => typeof role === "string"),
  };
}

export async function signIn(credential: { link: string } | { key: string }): Promise<void> {
  await call("/api/session", { method: "POST", body: credential });
}

export async function signOut(): Promise<void> {
  await call("/api/session", { method: "DELETE" });
}

export async function listNotifications(
  cursor?: string,
): Promise<{ items: Notification[]; nextCursor: string | null }> {
  const search = cursor === undefined ? "" : `?${new URLSearchParams({ cursor })}`;
  const body = object(await call(`/api/notifications${search}`));
  const items = array(own(body, "items")).filter(isJsonObject);
  return {
    items: items.map((entry) => ({
      id: ownText(entry, "notification_id") ?? "",
      sender: ownText(entry, "sender") ?? "",
      message: ownText(entry, "message") ?? "",
      at: ownText(entry, "created_at") ?? ownText(entry, "at") ?? "",
      media: parseMedia(own(entry, "media")),
    })),
    nextCursor: ownText(body, "next_cursor") ?? null,
  };
}
