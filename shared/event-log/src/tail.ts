import type { JsMsg } from "@nats-io/jetstream";
import type { Log } from "./connect.ts";
import { followStream } from "./follow-stream.ts";
import { readMessage, type StoredEntry } from "./interaction-store.ts";
import { STREAMS } from "./streams.ts";

export type TailListener = (stored: StoredEntry) => void;

/** A live, ordered view of every stored interaction event; one a process, filtered in memory. */
export interface Tail {
  /** The last sequence handed to the listeners; 0 before the log has any. */
  readonly position: number;
  /** Listeners get each event once, in log order, across reconnects. A listener must not throw. */
  subscribe(listener: TailListener): () => void;
  close(): Promise<void>;
}

export type TailOptions = {
  /** First sequence to deliver; without it, what is stored from now on. */
  fromSequence?: number;
  onUnreadable: (error: unknown) => void;
};

export async function openTail(log: Log, options: TailOptions): Promise<Tail> {
  const listeners = new Set<TailListener>();

  function deliver(message: JsMsg): void {
    try {
      const stored = readMessage(log, message);
      for (const listener of listeners) listener(stored);
    } catch (error) {
      options.onUnreadable(error);
    }
  }

  const { fromSequence } = options;
  const following = await followStream(log, { stream: STREAMS.interactions, fromSequence, deliver });
  return {
    get position() {
      return following.position;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => following.close(),
  };
}
