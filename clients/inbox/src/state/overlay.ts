import type { Filter, Sort } from "../api/doors.ts";
import type { Item, Status } from "../api/item.ts";

/** The end of a question, as the stream tells it: no answer in it, and maybe for an item never loaded. */
export type End = {
  interaction_id: string;
  status: Exclude<Status, "pending">;
  at: string;
  answered_by?: string;
  sequence: number;
};

export type Items = ReadonlyMap<string, Item>;
export type Ends = ReadonlyMap<string, End>;

function ended(item: Item, end: End): Item {
  return {
    ...item,
    status: end.status,
    resolved_at: end.at,
    sequence: end.sequence,
    ...(end.answered_by === undefined ? {} : { answered_by: end.answered_by }),
  };
}

/**
 * Frames, pages and single reads arrive in any order; the log's position decides. At the same position the
 * newcomer wins, because a read carries the answer that a frame leaves out.
 */
function newer(known: Item | undefined, incoming: Item): Item {
  return known !== undefined && known.sequence > incoming.sequence ? known : incoming;
}

/** Merges items that were read or streamed; an end that outran its item is applied to it here. */
export function withItems(items: Items, ends: Ends, incoming: readonly Item[]): Items {
  const merged = new Map(items);
  for (const item of incoming) {
    const end = ends.get(item.interaction_id);
    const current = end !== undefined && end.sequence > item.sequence ? ended(item, end) : item;
    merged.set(item.interaction_id, newer(merged.get(item.interaction_id), current));
  }
  return merged;
}

export function withEnds(items: Items, ends: readonly End[]): Items {
  const merged = new Map(items);
  for (const end of ends) {
    const known = merged.get(end.interaction_id);
    if (known !== undefined && known.sequence < end.sequence)
      merged.set(end.interaction_id, ended(known, end));
  }
  return merged;
}

/** The log's end may be a moment away, but past its deadline a question is shown as expired by the clock. */
export function statusAt(item: Item, nowMs: number): Status {
  return item.status === "pending" && Date.parse(item.timeout_at) <= nowMs ? "expired" : item.status;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const COMPARE: Record<Sort, (a: Item, b: Item) => number> = {
  created_at: (a, b) => compareText(a.created_at, b.created_at),
  "-created_at": (a, b) => compareText(b.created_at, a.created_at),
  deadline: (a, b) => compareText(a.timeout_at, b.timeout_at),
};

export type ListInput = {
  items: Items;
  /** Ids in the order of the fetched pages. */
  base: readonly string[];
  /** Ids the stream added since. */
  live: ReadonlySet<string>;
  hasMore: boolean;
  filter: Filter;
};

/**
 * The rows to show: fetched pages with the stream laid over them. While pages are missing, a streamed item
 * that sorts behind the last fetched one waits for its page; full-text search is the server's alone.
 */
export function visibleItems(list: ListInput, nowMs: number): Item[] {
  const { items, base, live, hasMore, filter } = list;
  const compare = COMPARE[filter.sort];
  const found = (id: string): Item[] => {
    const item = items.get(id);
    return item === undefined ? [] : [item];
  };
  const pages = base.flatMap(found);
  const frontier = hasMore ? pages.at(-1) : undefined;
  const inPages = new Set(base);
  const added = [...live].filter((id) => !inPages.has(id)).flatMap(found);
  const reachable = added.filter((item) => frontier === undefined || compare(item, frontier) <= 0);
  const all = filter.q === "" && reachable.length > 0 ? [...pages, ...reachable].sort(compare) : pages;
  return all.filter((item) => filter.status === "all" || statusAt(item, nowMs) === filter.status);
}

/** Where somebody who has just answered goes on: the next waiting question below, or else the first. */
export function nextWaiting(list: ListInput, current: Item, nowMs: number): Item | undefined {
  const compare = COMPARE[list.filter.sort];
  const waiting = visibleItems(list, nowMs).filter(
    (item) => item.interaction_id !== current.interaction_id && statusAt(item, nowMs) === "pending",
  );
  return waiting.find((item) => compare(item, current) >= 0) ?? waiting[0];
}
