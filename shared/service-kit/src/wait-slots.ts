import type { Actor } from "@interlude/domain";

export type WaitSlot = { release(): void };

/**
 * Bounds the requests a subject may hold open, whichever doors of a process they wait at; operators have no bound.
 */
export interface WaitSlots {
  take(actor: Actor): WaitSlot | "none_left";
}

/** @param cap 0: no cap */
export function createWaitSlots(cap: number, onChange: (taken: number) => void): WaitSlots {
  const taken = new Map<string, number>();
  let total = 0;

  function change(name: string, delta: 1 | -1): void {
    const next = (taken.get(name) ?? 0) + delta;
    if (next === 0) taken.delete(name);
    else taken.set(name, next);
    total += delta;
    onChange(total);
  }

  return {
    take(actor) {
      const name = actor.kind === "subject" ? actor.subject : actor.kind;
      const isOperator = actor.kind === "subject" && actor.roles.includes("operator");
      if (cap > 0 && !isOperator && (taken.get(name) ?? 0) >= cap) return "none_left";
      change(name, 1);
      let released = false;
      return {
        release: () => {
          if (!released) change(name, -1);
          released = true;
        },
      };
    },
  };
}
