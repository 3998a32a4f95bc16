import { HOLD_SECONDS } from "./ask/await-end.ts";
import { call, interactionPath, type Session } from "./session.ts";
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
  texts,
} from "./wire/fields.ts";
import { type Item, itemOf, STATUSES, type InteractionStatus, type AnswerFormat } from "./wire/item.ts";
import { type Result, resultOf } from "./wire/result.ts";

export type ListQuery = Readonly<{
  page?: number | undefined;
  pageSize?: number | undefined;
  cursor?: string | undefined;
  status?: InteractionStatus | "all" | undefined;
  answerFormat?: AnswerFormat | undefined;
  channel?: string | undefined;
  groupId?: string | undefined;
  audience?: string | undefined;
  asker?: string | undefined;
  q?: string | undefined;
  sort?: "created_at" | "-created_at" | "deadline" | undefined;
  /** The `sequence` of a write that the list must include. */
  atLeast?: number | undefined;
}>;

export type ItemPage = Readonly<{
  items: readonly Item[];
  total: number;
  truncated: boolean;
  page?: number | undefined;
  pageSize?: number | undefined;
  nextPage: number | undefined;
  nextCursor: string | undefined;
}>;

export type HistoryEvent = Readonly<{
  sequence: number;
  type: string;
  at: string;
  status: InteractionStatus;
  answeredBy?: string | undefined;
}>;

export type Identity = Readonly<{ subject: string; roles: readonly string[]; groups: readonly string[] }>;

/** Spelled out, so that a name is never sent that the service would refuse. */
function queryOf(query: ListQuery): Record<string, string | undefined> {
  const number = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : String(value);
  return {
    page: number(query.page),
    page_size: number(query.pageSize),
    cursor: query.cursor,
    status: query.status,
    answer_format: query.answerFormat,
    channel: query.channel,
    group_id: query.groupId,
    audience: query.audience,
    asker: query.asker,
    q: query.q,
    sort: query.sort,
    at_least: number(query.atLeast),
  };
}

export async function listItems(session: Session, query: ListQuery = {}): Promise<ItemPage> {
  const reply = await call(session, { method: "GET", path: "api/interactions", query: queryOf(query) });
  const fields = fieldsOf(reply.body, "list");
  return present({
    items: list(fields, "items").map(itemOf),
    total: count(fields, "total"),
    truncated: flag(fields, "truncated"),
    page: optionalCount(fields, "page"),
    pageSize: optionalCount(fields, "page_size"),
    nextPage: optionalCount(fields, "next_page"),
    nextCursor: optionalText(fields, "next_cursor"),
  });
}

/** Every page, one after the other by cursor, so that questions that come or go meanwhile shift nothing. */
export async function* listPages(session: Session, query: ListQuery = {}): AsyncGenerator<ItemPage, void> {
  let page = await listItems(session, query);
  yield page;
  while (page.nextCursor !== undefined) {
    page = await listItems(session, { ...query, page: undefined, cursor: page.nextCursor });
    yield page;
  }
}

export async function getItem(session: Session, id: string): Promise<Item> {
  return itemOf((await call(session, { method: "GET", path: interactionPath(id) })).body);
}

export async function getEvents(session: Session, id: string): Promise<readonly HistoryEvent[]> {
  const { body } = await call(session, { method: "GET", path: interactionPath(id, "/events") });
  return list(fieldsOf(body, "history"), "items").map((entry) => {
    const fields = fieldsOf(entry, "event");
    return present({
      sequence: count(fields, "sequence"),
      type: text(fields, "type"),
      at: text(fields, "at"),
      status: oneOf(fields, "status", STATUSES),
      answeredBy: optionalText(fields, "answered_by"),
    });
  });
}

export type ResultOptions = Readonly<{ waitSeconds?: number | undefined; signal?: AbortSignal | undefined }>;

export async function getResult(session: Session, id: string, options: ResultOptions = {}): Promise<Result> {
  const seconds = options.waitSeconds ?? 0;
  const { body } = await call(
    session,
    {
      method: "GET",
      path: interactionPath(id, "/result"),
      query: { wait: String(seconds) },
      holdSeconds: Math.max(seconds, HOLD_SECONDS),
    },
    { signal: options.signal },
  );
  return resultOf(body, id);
}

export async function getIdentity(session: Session): Promise<Identity> {
  const fields = fieldsOf((await call(session, { method: "GET", path: "api/me" })).body, "identity");
  return {
    subject: text(fields, "subject"),
    roles: texts(fields, "roles"),
    groups: texts(fields, "groups"),
  };
}
