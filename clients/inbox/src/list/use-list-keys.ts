import { useEffect, useRef, type RefObject } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Item } from "../api/item.ts";

type Keys = {
  rows: readonly Item[];
  selected: string | null;
  scroller: RefObject<HTMLDivElement | null>;
  handle: RefObject<VirtualizerHandle | null>;
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
  if (row) row.focus({ preventScroll: true });
  else if (frames > 0)
    requestAnimationFrame(() => {
      focusRow(scroller, id, frames - 1);
    });
}

function currentRow(rows: readonly Item[], selected: string | null): number {
  const focused = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset["row"];
  return rows.findIndex((item) => item.interaction_id === (focused ?? selected));
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
        document.getElementById("search")?.focus();
        return;
      }
      const step = { j: 1, k: -1 }[event.key];
      const { rows, selected, scroller, handle } = latest.current;
      if (step === undefined || rows.length === 0) return;
      const at = currentRow(rows, selected);
      const next = at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step));
      const target = rows[next];
      if (target === undefined) return;
      event.preventDefault();
      handle.current?.scrollToIndex(next, { align: "nearest" });
      focusRow(scroller.current, target.interaction_id);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
    };
  }, []);
}
