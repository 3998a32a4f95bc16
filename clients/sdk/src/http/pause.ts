import { onAbort } from "./on-abort.ts";

/** Waits, or rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(reasonOf(signal));
      return;
    }
    const timer = setTimeout(() => {
      takeBack();
      resolve();
    }, ms);
    const takeBack = onAbort(signal, () => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    });
  });
}

/** A signal's reason may be any value; what is thrown on is an error, and the reason itself wherever it is one. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new DOMException(String(reason), "AbortError");
}

export type Scope = Readonly<{ signal: AbortSignal; abort(reason: unknown): void; release(): void }>;

/**
 * One signal for several, with its listeners taken off again: `AbortSignal.any` keeps them for as long as its
 * longest-lived source, which here is the client itself.
 */
export function scope(...sources: readonly (AbortSignal | undefined)[]): Scope {
  const controller = new AbortController();
  const undo: (() => void)[] = [];
  for (const source of sources) {
    if (source === undefined) continue;
    const pass = (): void => {
      controller.abort(source.reason);
    };
    if (source.aborted) pass();
    else undo.push(onAbort(source, pass));
  }
  return {
    signal: controller.signal,
    abort: (reason) => {
      controller.abort(reason);
    },
    release: () => {
      for (const remove of undo) remove();
    },
  };
}
