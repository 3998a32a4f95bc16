import type { ConsumerMessages, JsMsg } from "@nats-io/jetstream";
import { SubscriptionImpl } from "@nats-io/nats-core/internal";
import { ServiceFailure, settle, within } from "@interlude/kernel";
import type { Log } from "./connect.ts";
import type { StreamName } from "./streams.ts";

/** One delivery of a durable consumer; acknowledged by the handler's return, or by hand when it holds on to it. */
export type Delivery = {
  subject: string;
  sequence: number;
  storedAtMs: number;
  redelivered: boolean;
  data: Uint8Array;
  header(name: string): string;
  ack(): void;
  /** Asks for redelivery after `delayMs`. */
  nak(delayMs?: number): void;
  /** Tells the server the work goes on, so that it is not handed to another worker. */
  working(): void;
  term(reason?: string): void;
};

export type DurableOptions = {
  stream: StreamName;
  durable: string;
  /** Deliveries handled at a time. */
  concurrency: number;
  /** `held`: the handler settles the delivery itself, later. A throw settles it by the error's retry verdict. */
  handle: (delivery: Delivery) => Promise<"done" | "held">;
  onFailure: (error: unknown, delivery: Delivery) => void;
  /** How often the server says that nothing has come; a process with hundreds of consumers wants it seldom. */
  heartbeatMs?: number;
};

const HEARTBEAT_MS = 1_000;
const RESTART_AFTER_MS = 500;
/** A server that is away has nothing on its way to us. */
const DRAIN_WITHIN_MS = 1_000;
const AWAY = new ServiceFailure("log_unavailable", { retry: "later" });

/** Consumes until `close`, which has everything handled that the server has sent, and waits for the handlers. */
export function consumeDurable(log: Log, options: DurableOptions): { close(): Promise<void> } {
  const running = new Set<Promise<void>>();
  let closed = false;
  let current: ConsumerMessages | undefined;

  async function handle(message: JsMsg): Promise<void> {
    const delivery = toDelivery(log, message);
    try {
      if ((await options.handle(delivery)) === "done") delivery.ack();
    } catch (error) {
      options.onFailure(error, delivery);
      settle(message, error);
    }
  }

  async function consumeOnce(): Promise<void> {
    const consumer = await log.jetstream.consumers.get(options.stream, options.durable);
    current = await consumer.consume({
      max_messages: options.concurrency,
      idle_heartbeat: options.heartbeatMs ?? HEARTBEAT_MS,
      abort_on_missing_resource: true,
      expires: 10_000,
    });
    if (isClosed()) void letGo(current);
    for await (const message of current) {
      const work = handle(message).finally(() => running.delete(work));
      running.add(work);
      if (running.size >= options.concurrency) await Promise.race(running);
    }
  }

  const isClosed = () => closed;
  async function run(): Promise<void> {
    while (!isClosed()) {
      await consumeOnce().catch(() => undefined);
      if (!isClosed()) await new Promise((resolve) => setTimeout(resolve, RESTART_AFTER_MS));
    }
  }

  const forget = log.onReconnect(() => current?.stop());
  const loop = run();
  return {
    async close() {
      closed = true;
      forget();
      if (current !== undefined) await letGo(current);
      await loop;
      await Promise.all(running);
    },
  };
}

/**
 * Takes what is on its way, and no more. The library's `close` unsubscribes at once, and what the server had sent
 * until then would be nobody's until the ack wait has passed.
 */
async function letGo(messages: ConsumerMessages): Promise<void> {
  if ("sub" in messages && messages.sub instanceof SubscriptionImpl)
    await within(DRAIN_WITHIN_MS, messages.sub.drain(), () => AWAY).catch(() => undefined);
  messages.stop();
}

function toDelivery(log: Log, message: JsMsg): Delivery {
  return {
    subject: message.subject,
    sequence: message.seq,
    storedAtMs: message.time.getTime(),
    redelivered: message.redelivered,
    data: message.data,
    header: (name) => message.headers?.get(name) ?? "",
    ack: () => {
      // The client writes each to the socket by itself.
      if ("reply" in message && typeof message.reply === "string") log.requests.post(message.reply, "+ACK");
      else message.ack();
    },
    nak: (delayMs) => {
      message.nak(delayMs);
    },
    working: () => {
      message.working();
    },
    term: (reason) => {
      message.term(reason);
    },
  };
}
