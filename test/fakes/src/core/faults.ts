type Matching = Readonly<{
  /** How many of the next requests; one unless said otherwise. */
  times?: number;
  /** Only requests of this operation, as the provider names it. */
  operation?: string;
}>;

/** What the fake does instead of, or besides, what it was asked. */
export type Fault = Matching &
  (
    | Readonly<{
        kind: "fail";
        status: number;
        /** The provider's own error code or name; the rest of the body has the provider's shape. */
        code?: string | number;
        message?: string;
        retryAfterSeconds?: number;
      }>
    /** Answers with exactly this, as a proxy in front of the provider would. */
    | Readonly<{ kind: "answer"; status: number; body: string; contentType?: string }>
    | Readonly<{ kind: "delay"; ms: number }>
    /** `before`: nothing has happened. `after`: the request was carried out, and its answer is lost. */
    | Readonly<{ kind: "drop"; when: "before" | "after" }>
  );

export interface Faults {
  readonly add: (fault: Fault) => void;
  readonly clear: () => void;
  /** The faults for one request, each used up by one. */
  readonly take: (operation: string) => readonly Fault[];
}

export function createFaults(): Faults {
  let waiting: { fault: Fault; left: number }[] = [];
  return {
    add(fault) {
      waiting.push({ fault, left: fault.times ?? 1 });
    },
    clear() {
      waiting = [];
    },
    take(operation) {
      // One delay may come along with one other fault; two failures are for two requests.
      const taken: Fault[] = [];
      for (const entry of waiting) {
        const { fault } = entry;
        if (fault.operation !== undefined && fault.operation !== operation) continue;
        const isDelay = fault.kind === "delay";
        if (taken.some(({ kind }) => (kind === "delay") === isDelay)) continue;
        entry.left -= 1;
        taken.push(fault);
      }
      waiting = waiting.filter(({ left }) => left > 0);
      return taken;
    },
  };
}
