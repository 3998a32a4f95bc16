import { isJsonObject, own, ownText, parseJson } from "../api/json.ts";
import { isRunState, type RunFilter } from "../api/runs.ts";

const KEY = "interlude-run-filter";
const FIRST: RunFilter = { state: "all", driver: "" };

/** The tab keeps its view over a reload. */
export function loadRunFilter(): RunFilter {
  try {
    const kept = parseJson(sessionStorage.getItem(KEY) ?? "null");
    if (!isJsonObject(kept)) return FIRST;
    const state = own(kept, "state");
    return { state: isRunState(state) ? state : "all", driver: ownText(kept, "driver") ?? "" };
  } catch {
    return FIRST;
  }
}

export function saveRunFilter(filter: RunFilter): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(filter));
  } catch {
    // The view then starts anew on a reload.
  }
}
