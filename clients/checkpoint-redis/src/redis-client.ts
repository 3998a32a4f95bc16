import { setTimeout as delay } from "node:timers/promises";
import { CheckpointError } from "./errors.ts";
import type { Script } from "./scripts.ts";

type Argument = string | Buffer;

/** What is needed of a client: any of node-redis 5 or later is one, whatever modules it was made with. */
export interface RedisClient {
  sendCommand(
    args: readonly Argument[],
    options?: { typeMapping?: Readonly<Record<number, unknown>>; abortSignal?: AbortSignal },
  ): Promise<unknown>;
}

/** What the saver says to the server. Each fails with `server_away` when no reply came in time. */
export interface Commands {
  send(args: readonly Argument[]): Promise<unknown>;
  /** A server that does not know the script, as after its restart, is given it. */
  run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown>;
}

/** Replies are bytes: what a serializer made need not be text. The numbers are RESP's `$` and `=`. */
const AS_BYTES = { 36: Buffer, 61: Buffer };

export function commandsOf(client: RedisClient, patienceMs: number): Commands {
  const send = (args: readonly Argument[]): Promise<unknown> => sendOnceLoaded(patienceMs, client, args);
  return {
    send,
    async run({ lua, sha1 }, keys, args) {
      const rest = [String(keys.length), ...keys, ...args];
      try {
        return await send(["EVALSHA", sha1, ...rest]);
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
        return send(["EVAL", lua, ...rest]);
      }
    },
  };
}

const LOOK_AGAIN_MS = 50;

/** A server that has just started and reads its data refuses every command before it does anything. */
async function sendOnceLoaded(
  patienceMs: number,
  client: RedisClient,
  args: readonly Argument[],
): Promise<unknown> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await within(Math.max(1, until - performance.now()), client, args);
    } catch (error) {
      const isLoading = error instanceof Error && error.message.startsWith("LOADING");
      if (!isLoading || performance.now() + LOOK_AGAIN_MS >= until) throw error;
      await delay(LOOK_AGAIN_MS);
    }
  }
}

/** The client's own limit ends with the sending: a server that takes a command and falls silent has none. */
function within(patienceMs: number, client: RedisClient, args: readonly Argument[]): Promise<unknown> {
  const giveUp = new AbortController();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new CheckpointError("server_away", `the server did not answer in time`));
      // What has not been sent yet never is.
      giveUp.abort();
    }, patienceMs);
    client
      .sendCommand(args, { typeMapping: AS_BYTES, abortSignal: giveUp.signal })
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
      });
  });
}

export function asBytes(reply: unknown): Buffer {
  if (Buffer.isBuffer(reply)) return reply;
  throw unreadable("bytes");
}

export function asList(reply: unknown): readonly unknown[] {
  if (Array.isArray(reply)) return reply;
  throw unreadable("a list");
}

export function asText(reply: unknown): string {
  return asBytes(reply).toString();
}

function unreadable(wanted: string): CheckpointError {
  return new CheckpointError(
    "record_unreadable",
    `the client did not answer with ${wanted}; a client of the package redis, version 5 or later, is needed`,
  );
}
