import { create } from "zustand";
import { listQuestions, type Filter, type ItemPage } from "../api/doors.ts";
import { DoorError } from "../api/http.ts";
import type { Item } from "../api/item.ts";
import { loadFilter, saveFilter } from "./filter.ts";
import { withEnds, withItems, type End, type Ends, type Items } from "./overlay.ts";
import { readPages } from "./read-pages.ts";

type Questions = {
  items: Items;
  ends: Ends;
  base: readonly string[];
  live: ReadonlySet<string>;
  nextCursor: string | null;
  phase: "loading" | "ready" | "failed";
  loadingMore: boolean;
  filter: Filter;
  total: number;
  truncated: boolean;
  waiting: number | null;
};

const PAGE_SIZE = 100;
const REFETCH_PAGE_SIZE = 200;
const MAX_ENDS = 5_000;
/** How long a page that did not come is not asked for again. */
const RETRY_PAGE_MS = 2_000;

const EMPTY = {
  items: new Map(),
  ends: new Map(),
  base: [],
  live: new Set<string>(),
  nextCursor: null,
  phase: "loading",
  loadingMore: false,
  total: 0,
  truncated: false,
  waiting: null,
} as const;

export const useQuestions = create<Questions>(() => ({ ...EMPTY, filter: loadFilter() }));

/** Only the latest request for the list may write it: a slow answer to an older filter is dropped. */
let generation = 0;

function keep(incoming: readonly Item[]): { items: Items } {
  const { items, ends } = useQuestions.getState();
  return { items: withItems(items, ends, incoming) };
}

export function rememberItem(item: Item): void {
  const before = useQuestions.getState().items.get(item.interaction_id);
  useQuestions.setState(keep([item]));
  if (before?.status === "pending" && item.status !== "pending") countDown(1);
}

function countDown(ended: number): void {
  const { waiting } = useQuestions.getState();
  if (waiting !== null) useQuestions.setState({ waiting: Math.max(0, waiting - ended) });
  settleWaiting();
}

/** Reads at or above the stream's position where the read model gets there in time, else as it stands. */
async function readPage(query: Parameters<typeof listQuestions>[0]): Promise<ItemPage & { exact: boolean }> {
  try {
    return { ...(await listQuestions(query)), exact: query.atLeast !== undefined };
  } catch (error) {
    if (!(error instanceof DoorError) || query.atLeast === undefined) throw error;
    if (error.status !== 503 && error.status !== 400) throw error;
    return { ...(await listQuestions({ filter: query.filter, pageSize: query.pageSize })), exact: false };
  }
}

async function readWaiting(): Promise<void> {
  const { filter } = useQuestions.getState();
  const pending: Filter = { status: "pending", q: "", sort: filter.sort };
  const page = await listQuestions({ filter: pending, pageSize: 1 }).catch(() => undefined);
  if (page !== undefined) useQuestions.setState({ waiting: page.total });
}

type Base = { ids: string[]; page: ItemPage; exact: boolean };

/** As many rows as were shown; `exact` when the first page stands at the stream's position. */
async function readBase(filter: Filter, wanted: number, atLeast: string | undefined): Promise<Base> {
  const pageSize = wanted > PAGE_SIZE ? REFETCH_PAGE_SIZE : PAGE_SIZE;
  let exact = false;
  const page = await readPages<ItemPage>(wanted, async (cursor) => {
    if (cursor !== undefined) return listQuestions({ filter, pageSize, cursor });
    const first = await readPage({ filter, pageSize, ...(atLeast === undefined ? {} : { atLeast }) });
    exact = first.exact;
    return first;
  });
  return { ids: page.items.map((item) => item.interaction_id), page, exact };
}

/** Loads the list anew; `atLeast` is the stream's position, below which the fetched pages are the truth. */
export async function loadBase(atLeast?: string): Promise<void> {
  const mine = ++generation;
  const { filter, base } = useQuestions.getState();
  void readWaiting();
  try {
    const { ids, page, exact } = await readBase(filter, base.length, atLeast);
    if (mine !== generation) return;
    const { items } = keep(page.items);
    const floor = exact ? Number(atLeast) : 0;
    const live = [...useQuestions.getState().live].filter((id) => (items.get(id)?.sequence ?? 0) > floor);
    useQuestions.setState({
      items,
      base: ids,
      live: new Set(live),
      nextCursor: page.nextCursor,
      total: page.total,
      truncated: page.truncated,
      phase: "ready",
      loadingMore: false,
    });
  } catch {
    if (mine !== generation) return;
    const { phase } = useQuestions.getState();
    useQuestions.setState({ phase: phase === "ready" ? phase : "failed", loadingMore: false });
  }
}

export async function loadMore(): Promise<void> {
  const { nextCursor, loadingMore, filter, phase } = useQuestions.getState();
  if (nextCursor === null || loadingMore || phase !== "ready") return;
  const mine = generation;
  useQuestions.setState({ loadingMore: true });
  const page = await listQuestions({ filter, pageSize: PAGE_SIZE, cursor: nextCursor }).catch(
    () => undefined,
  );
  if (page === undefined) await new Promise((resolve) => setTimeout(resolve, RETRY_PAGE_MS));
  if (mine !== generation) return;
  if (page === undefined) {
    useQuestions.setState({ loadingMore: false });
    return;
  }
  const known = new Set(useQuestions.getState().base);
  const fresh = page.items.map((item) => item.interaction_id).filter((id) => !known.has(id));
  useQuestions.setState({
    ...keep(page.items),
    base: [...useQuestions.getState().base, ...fresh],
    nextCursor: page.nextCursor,
    loadingMore: false,
  });
}

export function setFilter(change: Partial<Filter>): void {
  const filter = { ...useQuestions.getState().filter, ...change };
  saveFilter(filter);
  useQuestions.setState({ filter, base: [], live: new Set(), nextCursor: null, phase: "loading" });
  void loadBase();
}

export function retryBase(): void {
  useQuestions.setState({ phase: "loading" });
  void loadBase();
}

function rememberEnds(known: Ends, ends: readonly End[]): Ends {
  const merged = new Map(known);
  for (const end of ends) merged.set(end.interaction_id, end);
  for (const id of merged.keys()) {
    if (merged.size <= MAX_ENDS) break;
    merged.delete(id);
  }
  return merged;
}

let waitingTimer: ReturnType<typeof setTimeout> | undefined;

/** The count is adjusted at once and set right by the server soon after: frames do not say what was counted. */
function settleWaiting(): void {
  waitingTimer ??= setTimeout(() => {
    waitingTimer = undefined;
    void readWaiting();
  }, 2_000);
}

export function applyFrames(added: readonly Item[], ended: readonly End[]): void {
  const state = useQuestions.getState();
  const ends = rememberEnds(state.ends, ended);
  const items = withEnds(withItems(state.items, ends, added), ended);
  const fresh = added.filter((item) => !state.items.has(item.interaction_id));
  const gone = ended.filter((end) => state.items.get(end.interaction_id)?.status === "pending");
  useQuestions.setState({
    items,
    ends,
    live: new Set([...state.live, ...added.map((item) => item.interaction_id)]),
    waiting: state.waiting === null ? null : Math.max(0, state.waiting + fresh.length - gone.length),
  });
  settleWaiting();
  if (state.filter.q !== "" && fresh.length > 0) void loadBase();
}

export function forgetQuestions(): void {
  generation += 1;
  useQuestions.setState({ ...EMPTY });
}
