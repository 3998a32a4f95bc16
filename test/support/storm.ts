import type { Conversation } from "./converse.ts";

/** Questions at the same time; `FAULT_SCALE=0.2` asks for a fifth where a machine is slow or shared. */
export const STORM_SIZE = 2_000 * Number(process.env["FAULT_SCALE"] ?? 1);

/** What a refused caller waits at first and at most: thousands that insist would keep a server from coming back. */
const RETRY_MS = 250;
const RETRY_AT_MOST_MS = 4_000;

type Options = {
  /** Asked, answered, and waited for by their askers. */
  answered: readonly string[];
  /** Asked for a few seconds, answered by nobody, and waited for. */
  expiring?: readonly string[];
  expiringSeconds?: number;
};

/** Many conversations at once, each of which insists until it has come to its end. */
export type Storm = {
  /** How many asks, and how many answers, were accepted so far. */
  readonly accepted: Readonly<{ asks: number; answers: number }>;
  /** What each caller was woken with: the answer, or how it ended without one. */
  readonly woken: ReadonlyMap<string, unknown>;
  /** How many questions have expired and were told so. */
  readonly expired: () => number;
  /** The statuses of requests that were not taken; 0 where none came. */
  readonly refusals: readonly number[];
  /** The statuses with which the answers were taken at last. */
  readonly over: Promise<readonly number[]>;
};

export function startStorm({ ask, answer, result }: Conversation, options: Options): Storm {
  const { answered, expiring = [], expiringSeconds = 10 } = options;
  const accepted = { asks: 0, answers: 0 };
  const woken = new Map<string, unknown>();
  const refusals: number[] = [];

  /** Repeats a request under its own id until it is taken, as a caller does. */
  async function insist(send: () => Promise<{ status: number }>): Promise<number> {
    for (let tries = 1; ; tries += 1) {
      const status = await statusOf(send());
      if ((status >= 200 && status < 300) || status === 409 || status === 410) return status;
      refusals.push(status);
      await pause(tries);
    }
  }

  async function wait(id: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const reply = await result(id, "?wait=20").catch(() => undefined);
      if (reply?.status === 200) {
        const { status, answer: given } = reply.json;
        woken.set(id, status === "answered" ? given : status);
        return;
      }
      if (reply?.status === 202) tries = 0;
      else await pause(tries);
    }
  }

  async function put(id: string, timeoutSeconds?: number): Promise<void> {
    const timeout = timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds };
    await insist(() => ask({ id, question: `Number ${id}?`, ...timeout }));
    accepted.asks += 1;
  }

  async function converse(id: string): Promise<number> {
    await put(id);
    const waiting = wait(id);
    const status = await insist(() => answer(id, `to ${id}`, { headers: { "idempotency-key": id } }));
    accepted.answers += 1;
    await waiting;
    return status;
  }

  async function expire(id: string): Promise<void> {
    await put(id, expiringSeconds);
    await wait(id);
  }

  const expired = Promise.all(expiring.map(expire));
  const over = Promise.all(answered.map(converse)).then(async (statuses) => {
    await expired;
    return statuses;
  });
  // Shown where it is awaited: a failure meanwhile must not be one that nobody caught.
  over.catch(() => undefined);
  return { accepted, woken, expired: () => expiring.filter((id) => woken.has(id)).length, refusals, over };
}

export function stormIds(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, each) => `${name}-${String(each).padStart(6, "0")}`);
}

function statusOf(reply: Promise<{ status: number }>): Promise<number> {
  return reply.then(
    ({ status }) => status,
    () => 0,
  );
}

/** Longer from try to try, and for each caller another time. */
function pause(tries: number): Promise<void> {
  const atMostMs = Math.min(RETRY_MS * 2 ** tries, RETRY_AT_MOST_MS);
  return new Promise((resolve) => setTimeout(resolve, atMostMs * (0.5 + Math.random() / 2)));
}
