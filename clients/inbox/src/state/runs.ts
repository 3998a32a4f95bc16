import { create } from "zustand";
import { DoorError } from "../api/http.ts";
import { listRuns, type Run, type RunFilter, type RunPage } from "../api/runs.ts";
import { readPages } from "./read-pages.ts";
import { loadRunFilter, saveRunFilter } from "./run-filter.ts";

type Runs = {
  items: readonly Run[];
  nextCursor: string | null;
  phase: "loading" | "ready" | "failed" | "forbidden";
  /** What is shown may be old: the last read did not come through. */
  stale: boolean;
  loadingMore: boolean;
  filter: RunFilter;
};

const EMPTY = { items: [], nextCursor: null, phase: "loading", stale: false, loadingMore: false } as const;
const DRIVER = /^[A-Za-z0-9_-]{1,64}$/;

export const useRuns = create<Runs>(() => ({ ...EMPTY, filter: loadRunFilter() }));

/** Only the latest read may write the list. */
let generation = 0;

async function readPage({ state, driver }: RunFilter, cursor?: string): Promise<RunPage> {
  // No driver has such a name, and the door would call it a mistake.
  if (driver !== "" && !DRIVER.test(driver)) return { items: [], nextCursor: null };
  return listRuns({
    ...(state === "all" ? {} : { state }),
    driver,
    ...(cursor === undefined ? {} : { cursor }),
  });
}

/** Rejects when the list could not be read; what is shown stays. */
export async function loadRuns(): Promise<void> {
  const mine = ++generation;
  const { filter, items } = useRuns.getState();
  try {
    const page = await readPages(items.length, (cursor) => readPage(filter, cursor));
    if (mine === generation) useRuns.setState({ ...page, phase: "ready", stale: false, loadingMore: false });
  } catch (error) {
    if (mine !== generation) return;
    const isForbidden = error instanceof DoorError && error.status === 403;
    const isShown = useRuns.getState().phase === "ready" && !isForbidden;
    useRuns.setState({
      loadingMore: false,
      ...(isShown ? { stale: true } : { phase: isForbidden ? "forbidden" : "failed" }),
    });
    throw error;
  }
}

export async function loadMoreRuns(): Promise<void> {
  const { nextCursor, filter, loadingMore } = useRuns.getState();
  if (nextCursor === null || loadingMore) return;
  const mine = ++generation;
  useRuns.setState({ loadingMore: true });
  const page = await readPage(filter, nextCursor).catch(() => undefined);
  if (mine !== generation) return;
  if (page === undefined) {
    useRuns.setState({ loadingMore: false, stale: true });
    return;
  }
  const { items } = useRuns.getState();
  useRuns.setState({ items: [...items, ...page.items], nextCursor: page.nextCursor, loadingMore: false });
}

export function setRunFilter(change: Partial<RunFilter>): void {
  const filter = { ...useRuns.getState().filter, ...change };
  saveRunFilter(filter);
  useRuns.setState({ ...EMPTY, filter });
  void loadRuns().catch(() => undefined);
}

export function retryRuns(): void {
  useRuns.setState({ phase: "loading" });
  void loadRuns().catch(() => undefined);
}

/** The next person on this page must not see them. */
export function forgetRuns(): void {
  generation += 1;
  useRuns.setState({ ...EMPTY });
}
