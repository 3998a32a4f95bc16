import { useState } from "react";
import type { Json } from "../api/json.ts";
import { loadDraft, saveDraft } from "../state/drafts.ts";

/** State that survives a reload; `revive` turns what was kept into a value, or the first value. */
export function useDraft<T extends Json>(
  id: string,
  revive: (kept: Json | undefined) => T,
): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => revive(loadDraft(id)));
  const keep = (next: T): void => {
    setValue(next);
    saveDraft(id, next);
  };
  return [value, keep];
}
