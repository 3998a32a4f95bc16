import type { Filter, Sort, StatusFilter } from "../api/doors.ts";
import { isJsonObject, own, parseJson } from "../api/json.ts";

const KEY = "interlude-filter";
export const STATUS_FILTERS: readonly StatusFilter[] = [
  "pending",
  "answered",
  "expired",
  "cancelled",
  "failed",
  "all",
];
export const SORTS: readonly Sort[] = ["-created_at", "created_at", "deadline"];

const FIRST: Filter = { status: "pending", q: "", sort: "-created_at" };

/** The tab keeps its view over a reload. */
export function loadFilter(): Filter {
  try {
    const kept = parseJson(sessionStorage.getItem(KEY) ?? "null");
    if (!isJsonObject(kept)) return FIRST;
    const q = own(kept, "q");
    return {
      status: STATUS_FILTERS.find((status) => status === own(kept, "status")) ?? FIRST.status,
      sort: SORTS.find((sort) => sort === own(kept, "sort")) ?? FIRST.sort,
      q: typeof q === "string" ? q : "",
    };
  } catch {
    return FIRST;
  }
}

export function saveFilter(filter: Filter): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(filter));
  } catch {
    // The view then starts anew on a reload.
  }
}
