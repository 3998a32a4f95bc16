import { createInbox, type Msg, type MsgHdrs, type NatsConnection } from "@nats-io/nats-core";
import { ServiceFailure } from "@interlude/kernel";

/** One message of an answer; `status` is the server's status code, 0 for a plain message. */
export type Answer = { status: number; description: string; data: Uint8Array; headers: MsgHdrs | undefined };

export type Request = { subject: string; payload: Uint8Array | string; headers?: MsgHdrs };

/**
 * Requests over one inbox. Those of one turn of the event loop are written together: with many callers, a
 * write to the socket for each is most of what a request costs.
 */
export interface Requests {
  /** The first answer. @throws ServiceFailure `log_unavailable` when none comes in time */
  one(request: Request): Promise<Answer>;
  /** Every answer until `isLast` says so, that one included. @throws ServiceFailure `log_unavailable` */
  all(request: Request, isLast: (answer: Answer) => boolean): Promise<Answer[]>;
  /** Written with the requests; nothing answers it. */
  post(subject: string, payload: Uint8Array | string): void;
  /** The connection is lost: whoever waits is told, since no answer will come. */
  abandon(reason: string): void;
  close(): void;
}

type Waiting = { dueAtMs: number; take: (answer: Answer) => boolean; fail: (error: ServiceFailure) => void };
type Outgoing = Request & { reply?: string };

const SWEEP_EVERY_MS = 250;

export function openRequests(connection: NatsConnection, inboxPrefix: string, timeoutMs: number): Requests {
  const inbox = `${createInbox(inboxPrefix)}.`;
  /** In the order of their deadlines: all wait equally long. */
  const waiting = new Map<string, Waiting>();
  let outgoing: Outgoing[] = [];
  let counter = 0;
  let sweeping: NodeJS.Timeout | undefined;

  const subscription = connection.subscribe(`${inbox}*`, {
    callback: (error, message) => {
      if (error === null) receive(message);
    },
  });

  function receive(message: Msg): void {
    const token = message.subject.slice(inbox.length);
    const waiter = waiting.get(token);
    if (waiter?.take(toAnswer(message)) === true) waiting.delete(token);
  }

  function flush(): void {
    const batch = outgoing;
    outgoing = [];
    for (const { subject, payload, headers, reply } of batch) {
      try {
        connection.publish(subject, payload, {
          ...(headers === undefined ? {} : { headers }),
          ...(reply === undefined ? {} : { reply }),
        });
      } catch (cause) {
        // The connection is closed, or the message larger than the server takes.
        if (reply !== undefined) fail(reply.slice(inbox.length), unavailable(String(cause), cause));
      }
    }
  }

  function enqueue(message: Outgoing): void {
    if (outgoing.push(message) === 1) setImmediate(flush);
  }

  function fail(token: string, error: ServiceFailure): void {
    const waiter = waiting.get(token);
    waiting.delete(token);
    waiter?.fail(error);
  }

  function abandon(reason: string): void {
    for (const token of [...waiting.keys()]) fail(token, unavailable(reason));
  }

  function sweep(): void {
    const now = performance.now();
    for (const [token, { dueAtMs }] of waiting) {
      if (dueAtMs > now) return;
      fail(token, unavailable("NATS did not answer in time"));
    }
    clearInterval(sweeping);
    sweeping = undefined;
  }

  function wait(request: Request, waiter: Omit<Waiting, "dueAtMs">): void {
    const token = (counter++).toString(36);
    waiting.set(token, { ...waiter, dueAtMs: performance.now() + timeoutMs });
    sweeping ??= setInterval(sweep, SWEEP_EVERY_MS);
    enqueue({ ...request, reply: inbox + token });
  }

  return {
    one: (request) =>
      new Promise((resolve, reject) => {
        const take = (answer: Answer) => {
          resolve(answer);
          return true;
        };
        wait(request, { take, fail: reject });
      }),
    all: (request, isLast) =>
      new Promise((resolve, reject) => {
        const answers: Answer[] = [];
        const take = (answer: Answer) => {
          answers.push(answer);
          if (!isLast(answer)) return false;
          resolve(answers);
          return true;
        };
        wait(request, { take, fail: reject });
      }),
    post(subject, payload) {
      enqueue({ subject, payload });
    },
    abandon,
    close() {
      clearInterval(sweeping);
      flush();
      abandon("the connection is being closed");
      subscription.unsubscribe();
    },
  };
}

function toAnswer({ data, headers }: Msg): Answer {
  return { status: headers?.code ?? 0, description: headers?.description ?? "", data, headers };
}

function unavailable(message: string, cause?: unknown): ServiceFailure {
  return new ServiceFailure("log_unavailable", { retry: "later", message, cause });
}
