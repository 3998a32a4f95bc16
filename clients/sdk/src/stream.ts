import { InterludeError } from "./errors.ts";
import { listen, NotNow } from "./http/event-source.ts";
import { pause, scope } from "./http/pause.ts";
import { Unreachable } from "./http/transport.ts";
import type { Session } from "./session.ts";
import { frameOf, type StreamFrame } from "./wire/frame.ts";

export type StreamOptions = Readonly<{
  /** Ends the stream quietly. */
  signal?: AbortSignal | undefined;
  /** Frames after this one come first, from the log. */
  lastEventId?: string | undefined;
  /**
   * Called at each connection. Not `resumed` means that what happened while nobody listened is not coming: the
   * first connection, or one that was lost before its first frame.
   */
  onOpen?: ((connection: Readonly<{ resumed: boolean }>) => void) | undefined;
}>;

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 15_000;

/** How connections have gone lately; a frame that arrived clears it. */
class Failures {
  #count = 0;
  #sinceMs = 0;

  clear(): void {
    this.#count = 0;
  }

  /** The delay before the next connection; throws what no further connection can mend. */
  next(session: Session, error: unknown): number {
    if (error instanceof InterludeError && !(error instanceof NotNow)) throw error;
    const failure = error instanceof NotNow ? error : new Unreachable(error);
    if (this.#count === 0) this.#sinceMs = Date.now();
    this.#count += 1;
    const backoffMs =
      Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#count - 1)) * (0.5 + Math.random() / 2);
    const delayMs = Math.max(backoffMs, error instanceof NotNow ? error.atLeastMs : 0);
    const patienceMs = session.patienceMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() + delayMs - this.#sinceMs > patienceMs) throw failure;
    session.onRetry?.({ attempt: this.#count, delayMs, error: failure });
    return delayMs;
  }
}

/**
 * Follows the tail until stopped. Every connection but the first carries the id of the last frame seen, so that
 * nothing between two connections is lost.
 */
export async function* follow(
  session: Session,
  options: StreamOptions = {},
): AsyncGenerator<StreamFrame, void> {
  const stop = scope(session.closing, options.signal);
  const failures = new Failures();
  const isStopped = (): boolean => stop.signal.aborted;
  let lastId = options.lastEventId;
  try {
    while (!isStopped()) {
      const headers = {
        accept: "text/event-stream",
        ...(lastId === undefined ? {} : { "last-event-id": lastId }),
      };
      const request = { method: "GET", path: "api/interactions/stream", headers } as const;
      const resumed = lastId !== undefined;
      let failure: unknown = new DOMException("the server ended the stream", "NetworkError");
      try {
        for await (const message of listen(session.origin, request, stop.signal, () =>
          options.onOpen?.({ resumed }),
        )) {
          failures.clear();
          if (message.id !== undefined && message.id !== "") lastId = message.id;
          const frame = frameOf(message);
          if (frame !== undefined) yield frame;
        }
      } catch (error) {
        failure = error;
      }
      if (isStopped()) return;
      await pause(failures.next(session, failure), stop.signal).catch(() => undefined);
    }
  } finally {
    stop.release();
  }
}
