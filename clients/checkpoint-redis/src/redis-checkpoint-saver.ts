import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  maxChannelVersion,
  TASKS,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
} from "@langchain/langgraph-checkpoint";
import { connect } from "./connect.ts";
import { CheckpointError } from "./errors.ts";
import {
  checkpointName,
  keysBelow,
  namespaceEnd,
  namespacePrefix,
  readCheckpointName,
  type Keys,
} from "./keys.ts";
import { listNames, type CheckpointName } from "./list-names.ts";
import { matches } from "./matches.ts";
import { readConfig, readPlace, type Place } from "./place.ts";
import { dumpRecord, dumpValues, dumpWrites, loadMetadata, loadRecord, loadWrites } from "./record.ts";
import { asBytes, asList, asText, commandsOf, type Commands, type RedisClient } from "./redis-client.ts";
import { DELETE, PUT, PUT_WRITES, READ } from "./scripts.ts";
import { checkServer } from "./server-fitness.ts";
import { checkSeconds, sweep, type SweepOptions, type Swept } from "./sweep.ts";

export type SaverOptions = Readonly<{
  /** What every key starts with; savers with different prefixes see nothing of each other. */
  keyPrefix?: string;
  /** How long a thread that nothing is written to is kept, where no run is parked on it. Unset: for ever. */
  retentionSeconds?: number;
  /** How long a call waits for a server that is away or does not answer. 30 unless set. */
  timeoutSeconds?: number;
  serde?: SerializerProtocol;
}>;

const AT_ONCE = 20;

/** LangGraph checkpoints on plain Redis or Valkey. A thread lives until it is deleted or swept. */
export class RedisCheckpointSaver extends BaseCheckpointSaver {
  readonly retentionSeconds: number | undefined;
  readonly #commands: Commands;
  readonly #keys: Keys;
  #end: () => Promise<void> = () => Promise.resolve();

  /** On a connected client, which stays its owner's: `end` leaves it open. */
  constructor(client: RedisClient, options: SaverOptions = {}) {
    super(options.serde);
    const { retentionSeconds } = options;
    this.retentionSeconds =
      retentionSeconds === undefined ? undefined : checkSeconds("retentionSeconds", retentionSeconds);
    this.#commands = commandsOf(client, checkSeconds("timeoutSeconds", options.timeoutSeconds ?? 30) * 1_000);
    this.#keys = keysBelow(options.keyPrefix ?? "interlude:checkpoints");
  }

  /** On a connection of its own, to a server that was found fit. `end` closes it. */
  static async fromUrl(url: string, options: SaverOptions = {}): Promise<RedisCheckpointSaver> {
    const connection = await connect(url);
    try {
      const saver = new RedisCheckpointSaver(connection.client, options);
      saver.#end = () => connection.end();
      await saver.setup();
      return saver;
    } catch (error) {
      await connection.end();
      throw error;
    }
  }

  /** Refuses (`server_unfit`) a server that is too old, a cluster, or may evict keys. Makes nothing. */
  setup(): Promise<void> {
    return checkServer(this.#commands);
  }

  end(): Promise<void> {
    return this.#end();
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const named = readConfig(config);
    if (named.threadId === undefined) return undefined;
    return this.#read(readPlace(named), named.checkpointId);
  }

  /** The newest first. Without a thread: thread after thread, the one that was written to last first. */
  override async *list(
    config: RunnableConfig,
    options: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { checkpointId, ...named } = readConfig(config);
    const before = readConfig(options.before).checkpointId;
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    for await (const page of listNames(this.#commands, this.#keys, { ...named, checkpointId, before })) {
      const names = await this.#matching(page, options.filter);
      while (names.length > 0 && left > 0) {
        const some = names.splice(0, Math.min(AT_ONCE, left));
        // One that was deleted since it was listed is no more.
        const tuples = (await Promise.all(some.map((name) => this.#read(name, name.checkpointId)))).filter(
          (tuple) => tuple !== undefined,
        );
        left -= tuples.length;
        yield* tuples;
      }
      if (left <= 0) return;
    }
  }

  /** The checkpoint and the changed values of its channels appear together or not at all. */
  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const named = readConfig(config);
    const place = readPlace(named);
    const { checkpointId } = readConfig({ configurable: { checkpoint_id: checkpoint.id } });
    if (checkpointId === undefined) throw new CheckpointError("config_invalid", "the checkpoint has no id");
    const [record, values] = await Promise.all([
      dumpRecord(this.serde, checkpoint, metadata, named.checkpointId),
      dumpValues(this.serde, checkpoint.channel_values, newVersions),
    ]);
    const prefix = namespacePrefix(place.namespace);
    await this.#commands.run(PUT, this.#keys.ofThread(place.threadId), [
      place.threadId,
      checkpointName(place.namespace, checkpointId),
      record,
      ...values.flatMap(([name, stored]) => [`${prefix}${name}`, stored]),
    ]);
    return configOf(place, checkpointId);
  }

  /** All of them or none. What a task wrote before stays, but for errors, interrupts and their like. */
  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = "",
  ): Promise<void> {
    const named = readConfig(config);
    const { threadId, namespace } = readPlace(named);
    if (named.checkpointId === undefined) {
      throw new CheckpointError(
        "config_invalid",
        "configurable.checkpoint_id is missing: writes belong to a checkpoint",
      );
    }
    if (writes.length === 0) return;
    const dumped = await dumpWrites(this.serde, writes, taskId, taskPath);
    await this.#commands.run(PUT_WRITES, this.#keys.ofThread(threadId), [
      threadId,
      checkpointName(namespace, named.checkpointId),
      ...dumped.flatMap(({ name, isSpecial, stored }) => [name, isSpecial ? "replace" : "keep", stored]),
    ]);
  }

  /** With everything that belongs to it, in one step; parked or not. */
  async deleteThread(threadId: string): Promise<void> {
    const place = readPlace(readConfig({ configurable: { thread_id: threadId } }));
    await this.#commands.run(DELETE, this.#keys.ofThread(place.threadId), [place.threadId, ""]);
  }

  /** Deletes threads that nothing was written to for long, and that no parked run needs. */
  sweep(options: SweepOptions): Promise<Swept> {
    return sweep(this.#commands, this.#keys, options.idleSeconds ?? this.retentionSeconds, options);
  }

  /**
   * A number with a random fraction: of two runs that fork from one checkpoint, each writes a version
   * of its own, so that neither reads the other's values.
   */
  override getNextVersion(current: number | undefined): number {
    return Math.floor(current ?? 0) + 1 + Math.random();
  }

  async #read(place: Place, checkpointId: string | undefined): Promise<CheckpointTuple | undefined> {
    const stored = await this.#readStored(place, checkpointId);
    if (stored === undefined) return undefined;
    const { id, parent, metadata, pendingWrites } = stored;
    const checkpoint =
      stored.checkpoint.v < 4 && parent !== undefined
        ? await this.#withSendsOf(place, parent, stored.checkpoint)
        : stored.checkpoint;
    return {
      config: configOf(place, id),
      checkpoint,
      metadata,
      pendingWrites,
      ...(parent === undefined ? {} : { parentConfig: configOf(place, parent) }),
    };
  }

  async #readStored(place: Place, checkpointId: string | undefined) {
    const { threadId, namespace } = place;
    const reply = await this.#commands.run(READ, this.#keys.ofThread(threadId), [
      namespacePrefix(namespace),
      namespaceEnd(namespace),
      checkpointId ?? "",
    ]);
    if (reply === null) return undefined;
    const [name, record, values, writes] = asList(reply);
    const present = asList(values).map((value) => (value === null ? undefined : asBytes(value)));
    const [loaded, pendingWrites] = await Promise.all([
      loadRecord(this.serde, asBytes(record), present),
      loadWrites(this.serde, asList(writes).map(asBytes)),
    ]);
    return { ...loaded, pendingWrites, id: readCheckpointName(asText(name)).checkpointId };
  }

  /** Up to format 3, what a step sent to others stood only in its parent's writes. */
  async #withSendsOf(place: Place, parent: string, checkpoint: Checkpoint): Promise<Checkpoint> {
    const writes = (await this.#readStored(place, parent))?.pendingWrites ?? [];
    const sends = writes.filter(([, channel]) => channel === TASKS).map(([, , value]) => value);
    const versions = Object.values(checkpoint.channel_versions);
    const version = versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
    return {
      ...checkpoint,
      channel_values: { ...checkpoint.channel_values, [TASKS]: sends },
      channel_versions: { ...checkpoint.channel_versions, [TASKS]: version },
    };
  }

  /** Those whose metadata fit. Only records are read for that, not values and writes. */
  async #matching(
    names: CheckpointName[],
    filter: CheckpointListOptions["filter"],
  ): Promise<CheckpointName[]> {
    const conditions = Object.entries<unknown>(filter ?? {}).filter(([, value]) => value !== undefined);
    const [first] = names;
    if (conditions.length === 0 || first === undefined) return [...names];
    // A page is of one thread.
    const [, , records] = this.#keys.ofThread(first.threadId);
    const fields = names.map((name) => checkpointName(name.namespace, name.checkpointId));
    const stored = asList(await this.#commands.send(["HMGET", records, ...fields]));
    const verdicts = await Promise.all(
      stored.map(
        async (record) =>
          record !== null && matches(await loadMetadata(this.serde, asBytes(record)), conditions),
      ),
    );
    return names.filter((_, position) => verdicts[position] === true);
  }
}

function configOf({ threadId, namespace }: Place, checkpointId: string): RunnableConfig {
  return { configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId } };
}
