import { useMemo } from "react";
import type { ListInput } from "./overlay.ts";
import { useQuestions } from "./questions.ts";

/** What the visible rows are made of, stable while none of it changes. */
export function useListInput(): ListInput {
  const items = useQuestions((state) => state.items);
  const base = useQuestions((state) => state.base);
  const live = useQuestions((state) => state.live);
  const hasMore = useQuestions((state) => state.nextCursor !== null);
  const filter = useQuestions((state) => state.filter);
  return useMemo(() => ({ items, base, live, hasMore, filter }), [items, base, live, hasMore, filter]);
}
