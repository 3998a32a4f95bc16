import { canHaveRedis, startRedisForTests } from "@interlude/testing";
import {
  emptyCheckpoint,
  uuid6,
  type Checkpoint,
  type CheckpointTuple,
} from "@langchain/langgraph-checkpoint";
import { createClient } from "redis";
import { afterAll, afterEach, beforeAll } from "vitest";
import { RedisCheckpointSaver, type SaverOptions } from "../src/index.ts";

export const hasRedis = await canHaveRedis();

type Client = ReturnType<typeof createClient>;

export type UnderTest = {
  readonly url: string;
  readonly client: Client;
  /** The same prefix each time: what one wrote, the next one finds. */
  open(options?: SaverOptions): RedisCheckpointSaver;
  readonly prefix: string;
};

/** A client of the file's own, and a prefix of the test's own whose keys are gone after it. */
export function saverUnderTest(): UnderTest {
  let server: Awaited<ReturnType<typeof startRedisForTests>>;
  let client: Client;
  let prefix = freshPrefix();

  beforeAll(async () => {
    server = await startRedisForTests();
    client = createClient({ url: server.url });
    client.on("error", () => undefined);
    await client.connect();
  });
  afterEach(async () => {
    const keys = await keysOf(client, prefix);
    if (keys.length > 0) await client.unlink(keys);
    prefix = freshPrefix();
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });
  return {
    get url() {
      return server.url;
    },
    get client() {
      return client;
    },
    get prefix() {
      return prefix;
    },
    open: (options) => new RedisCheckpointSaver(client, { keyPrefix: prefix, ...options }),
  };
}

function freshPrefix(): string {
  return `test-${crypto.randomUUID()}`;
}

export async function keysOf(client: Client, prefix: string): Promise<string[]> {
  return (await client.keys("*")).filter((key) => key.startsWith(`${prefix}:`)).sort();
}

export const loopMetadata = { source: "loop", step: 0, parents: {} } as const;

export function checkpointOf(values: Record<string, unknown> = {}, id: string = uuid6(0)): Checkpoint {
  const versions = Object.fromEntries(Object.keys(values).map((channel) => [channel, 1]));
  return { ...emptyCheckpoint(), id, channel_values: values, channel_versions: versions };
}

/** Stores a checkpoint with all of its values, and gives its configuration. */
export function putAll(
  saver: RedisCheckpointSaver,
  threadId: string,
  checkpoint: Checkpoint,
  where: { namespace?: string; parent?: string } = {},
) {
  const configurable = {
    thread_id: threadId,
    checkpoint_ns: where.namespace ?? "",
    ...(where.parent === undefined ? {} : { checkpoint_id: where.parent }),
  };
  return saver.put({ configurable }, checkpoint, loopMetadata, checkpoint.channel_versions);
}

export async function collect(tuples: AsyncIterable<CheckpointTuple>): Promise<CheckpointTuple[]> {
  const collected: CheckpointTuple[] = [];
  for await (const tuple of tuples) collected.push(tuple);
  return collected;
}

export function idsOf(tuples: readonly CheckpointTuple[]): string[] {
  return tuples.map(({ checkpoint }) => checkpoint.id);
}

export function ofThread(threadId: string, namespace = ""): { configurable: Record<string, string> } {
  return { configurable: { thread_id: threadId, checkpoint_ns: namespace } };
}
