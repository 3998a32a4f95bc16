import { type ConsumerMessages, DeliverPolicy, type JsMsg } from "@nats-io/jetstream";
import type { Log } from "./connect.ts";

/** A live view of a stream from one place on, each message once and in order, across reconnects. */
export interface Following {
  /** The last sequence handed on; 0 before the stream has any. */
  readonly position: number;
  close(): Promise<void>;
}

export type FollowOptions = {
  stream: string;
  /** First sequence to deliver; without it, what is stored from now on. */
  fromSequence?: number | undefined;
  /** Must not throw. */
  deliver: (message: JsMsg) => void;
};

const HEARTBEAT_MS = 1_000;
const RESTART_AFTER_MS = 200;

/** Begins again after the last message handed on, as often and as long as it takes, until it is closed. */
export async function followStream(log: Log, options: FollowOptions): Promise<Following> {
  const { stream, deliver } = options;
  const begins = await log.manager.streams.info(stream);
  let position = options.fromSequence === undefined ? begins.state.last_seq : options.fromSequence - 1;
  let { created } = begins;
  let closed = false;
  let current: ConsumerMessages | undefined;

  async function followOnce(): Promise<void> {
    const now = await log.manager.streams.info(stream);
    // Made anew, it counts from 1 again, and nothing in it was handed on; one that has only shrunk was restored.
    if (now.created !== created) position = 0;
    else if (now.state.last_seq < position) position = now.state.last_seq;
    created = now.created;
    const consumer = await log.jetstream.consumers.get(stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: position + 1,
      inactive_threshold: 60_000_000_000,
    });
    current = await consumer.consume({
      max_messages: 1_000,
      idle_heartbeat: HEARTBEAT_MS,
      abort_on_missing_resource: true,
      expires: 10_000,
    });
    if (isClosed()) current.stop();
    for await (const message of current) {
      if (message.seq <= position) continue;
      position = message.seq;
      deliver(message);
    }
  }

  // A function: the loop must see a close that happens while it waits.
  const isClosed = () => closed;
  async function run(): Promise<void> {
    while (!isClosed()) {
      // The server is away or restarting; the next round starts after the last delivered sequence.
      await followOnce().catch(() => undefined);
      if (!isClosed()) await new Promise((resolve) => setTimeout(resolve, RESTART_AFTER_MS));
    }
  }

  // The library notices a lost consumer by missing heartbeats; a reconnect tells sooner.
  const forget = log.onReconnect(() => current?.stop());
  const running = run();

  return {
    get position() {
      return position;
    },
    async close() {
      closed = true;
      forget();
      await current?.close();
      await running;
    },
  };
}
