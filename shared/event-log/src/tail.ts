import { type ConsumerMessages, DeliverPolicy, type JsMsg } from "@nats-io/jetstream";
import { headers } from "@nats-io/nats-core";
import type { Log } from "./connect.ts";
import { readStored, type StoredEntry } from "./interaction-store.ts";
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

const HEARTBEAT_MS = 1_000;
const RESTART_AFTER_MS = 200;

export async function openTail(log: Log, options: TailOptions): Promise<Tail> {
  const listeners = new Set<TailListener>();
  const state = await log.manager.streams.info(STREAMS.interactions);
  let position = options.fromSequence === undefined ? state.state.last_seq : options.fromSequence - 1;
  let closed = false;
  let current: ConsumerMessages | undefined;

  function deliver(message: JsMsg): void {
    if (message.seq <= position) return;
    position = message.seq;
    try {
      const stored = readStored(toStored(message));
      for (const listener of listeners) listener(stored);
    } catch (error) {
      options.onUnreadable(error);
    }
  }

  async function run(): Promise<void> {
    // A local name: the loop must see a close that happens while it waits.
    const isClosed = () => closed;
    while (!isClosed()) {
      try {
        await restartPositionIfLogShrank();
        const consumer = await log.jetstream.consumers.get(STREAMS.interactions, {
          deliver_policy: DeliverPolicy.StartSequence,
          opt_start_seq: position + 1,
          inactive_threshold: 60_000_000_000,
        });
        current = await consumer.consume({
          max_messages: 1_000,
          idle_heartbeat: HEARTBEAT_MS,
          expires: 10_000,
        });
        if (isClosed()) current.stop();
        for await (const message of current) deliver(message);
      } catch {
        // The server is away or restarting; the next round starts after the last delivered sequence.
      }
      if (!isClosed()) await pause(RESTART_AFTER_MS);
    }
  }

  async function restartPositionIfLogShrank(): Promise<void> {
    const { state: now } = await log.manager.streams.info(STREAMS.interactions);
    if (now.last_seq < position) position = now.last_seq;
  }

  // The library notices a lost consumer by missing heartbeats; a reconnect tells sooner.
  const forget = log.onReconnect(() => current?.stop());
  const running = run();

  return {
    get position() {
      return position;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      forget();
      await current?.close();
      await running;
    },
  };
}

function toStored(message: JsMsg) {
  const { subject, seq, data, time } = message;
  return { subject, seq, data, time, header: message.headers ?? headers() };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
