import { CheckpointError } from "./errors.ts";
import type { Script } from "./scripts.ts";

type Argument = string | Buffer;

/** What is needed of a client: any of node-redis 5 or later is one, whatever modules it was made with. */
export interface RedisClient {
  sendCommand(
    args: readonly Argument[],
    options?: { typeMapping?: Readonly<Record<number, unknown>>; timeout?: number },
  ): Promise<unknown>;
}

/** Replies are bytes: what a serializer made need not be text. The numbers are RESP's `$` and `=`. */
const AS_BYTES = { 36: Buffer, 61: Buffer };
/** A server that is away is waited for so long; after that the call fails. */
const PATIENCE_MS = 30_000;

export function send(client: RedisClient, args: readonly Argument[]): Promise<unknown> {
  return client.sendCommand(args, { typeMapping: AS_BYTES, timeout: PATIENCE_MS });
}

/** A server that does not know the script, as after its restart, is given it. */
export async function run(
  client: RedisClient,
  { lua, sha1 }: Script,
  keys: readonly string[],
  args: readonly Argument[],
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...args];
  try {
    return await send(client, ["EVALSHA", sha1, ...rest]);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
    return send(client, ["EVAL", lua, ...rest]);
  }
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
