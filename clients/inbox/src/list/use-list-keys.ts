import { useEffect, useRef, type RefObject } from "react";

type Keys = {
  /** What the rows are named by, in their order. */
  ids: readonly string[];
  selected: string | null;
  scroller: RefObject<HTMLDivElement | null>;
  /** Where a list draws only some of its rows: has this one drawn. */
  reveal?: (index: number) => void;
  /** The field that is searched in. */
  searchId: string;
  /** False while another list is in its place. */
  isShown: boolean;
};

/** A row far away is mounted only after the scroll: look for it this many frames long. */
const MAX_FRAMES = 30;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("input:not([type='radio'], [type='checkbox']), textarea, select, dialog *"))
  );
}

function focusRow(scroller: HTMLElement | null, id: string, frames = MAX_FRAMES): void {
  const row = scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
  if (row) {
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  } else if (frames > 0)
    requestAnimationFrame(() => {
      focusRow(scroller, id, frames - 1);
    });
}

function currentRow(ids: readonly string[], selected: string | null): number {
  const focused = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset["row"];
  return ids.findIndex((id) => id === (focused ?? selected));
}

/** j and k walk the list, Enter opens (rows are links), / searches: only while nobody is typing. */
export function useListKeys(keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (!latest.current.isShown) return;
      if (event.key === "/") {
        event.preventDefault();
        document.getElementById(latest.current.searchId)?.focus();
        return;
      }
      const step = { j: 1, k: -1 }[event.key];
      const { ids, selected, scroller, reveal } = latest.current;
      if (step === undefined || ids.length === 0) return;
      const at = currentRow(ids, selected);
      const next = at === -1 ? 0 : Math.min(ids.length - 1, Math.max(0, at + step));
      const target = ids[next];
      if (target === undefined) return;
      event.preventDefault();
      reveal?.(next);
      focusRow(scroller.current, target);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
    };
  }, []);
}
