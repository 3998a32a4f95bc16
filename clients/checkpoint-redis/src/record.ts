import type {
  ChannelVersions,
  Checkpoint,
  CheckpointMetadata,
  CheckpointPendingWrite,
  PendingWrite,
  SerializerProtocol,
} from "@langchain/langgraph-checkpoint";
import { compareWritesSortKeys, WRITES_IDX_MAP, writesSortKey } from "@langchain/langgraph-checkpoint";
import { z } from "zod";
import { CheckpointError } from "./errors.ts";
import { frame, unframe } from "./frame.ts";
import { channelOf, valueName, writeName } from "./keys.ts";

const Part = z.tuple([z.string(), z.int().min(0)]);
const RecordHeader = z.object({
  parent: z.string().optional(),
  checkpoint: Part,
  metadata: Part,
  values: z.array(z.string()),
});
const ValueHeader = z.object({ type: z.string() });
const WriteHeader = z.object({
  task: z.string(),
  index: z.int(),
  path: z.string(),
  channel: z.string(),
  type: z.string(),
});

/** A checkpoint without its channels' values, with its metadata and the names of those values. */
export async function dumpRecord(
  serde: SerializerProtocol,
  checkpoint: Checkpoint,
  metadata: CheckpointMetadata,
  parent: string | undefined,
): Promise<Buffer> {
  const bare = { ...checkpoint, channel_values: {} };
  const [[type, bytes], [metadataType, metadataBytes]] = await Promise.all([
    serde.dumpsTyped(bare),
    serde.dumpsTyped(metadata),
  ]);
  const values = Object.entries(checkpoint.channel_versions).map(([name, version]) =>
    valueName(name, version),
  );
  const header: z.input<typeof RecordHeader> = {
    parent,
    checkpoint: [type, bytes.length],
    metadata: [metadataType, metadataBytes.length],
    values,
  };
  return frame(header, bytes, metadataBytes);
}

/** The values of the channels that got a new version; one that has none any more leaves nothing. */
export async function dumpValues(
  serde: SerializerProtocol,
  values: Readonly<Record<string, unknown>>,
  versions: ChannelVersions,
): Promise<[name: string, stored: Buffer][]> {
  const present = Object.entries(versions).filter(([channel]) => Object.hasOwn(values, channel));
  return Promise.all(
    present.map(async ([channel, version]) => {
      const [type, bytes] = await serde.dumpsTyped(values[channel]);
      return [valueName(channel, version), frame({ type }, bytes)];
    }),
  );
}

export type DumpedWrite = Readonly<{ name: string; isSpecial: boolean; stored: Buffer }>;

/** Errors, interrupts and their like have an index of their own below zero, and replace what they were before. */
export async function dumpWrites(
  serde: SerializerProtocol,
  writes: readonly PendingWrite[],
  task: string,
  path: string,
): Promise<DumpedWrite[]> {
  return Promise.all(
    writes.map(async ([channel, value], position) => {
      const index = specialIndex(channel) ?? position;
      const [type, bytes] = await serde.dumpsTyped(value);
      const header: z.input<typeof WriteHeader> = { task, index, path, channel, type };
      return { name: writeName(task, index), isSpecial: index < 0, stored: frame(header, bytes) };
    }),
  );
}

function specialIndex(channel: string): number | undefined {
  return Object.hasOwn(WRITES_IDX_MAP, channel) ? WRITES_IDX_MAP[channel] : undefined;
}

export async function loadMetadata(serde: SerializerProtocol, stored: Buffer): Promise<CheckpointMetadata> {
  const { metadata, metadataBytes } = splitRecord(stored);
  return certain(await load(serde, metadata[0], metadataBytes), isMetadata);
}

export type LoadedRecord = Readonly<{
  parent: string | undefined;
  checkpoint: Checkpoint;
  metadata: CheckpointMetadata;
}>;

/** `values` are what stands under the names of the record, in their order; nothing where nothing stands. */
export async function loadRecord(
  serde: SerializerProtocol,
  stored: Buffer,
  values: readonly (Buffer | undefined)[],
): Promise<LoadedRecord> {
  const { header, checkpointBytes } = splitRecord(stored);
  const present = header.values.flatMap((name, position) => {
    const value = values[position];
    return value === undefined ? [] : [{ channel: channelOf(name), value }];
  });
  const [bare, metadata, entries] = await Promise.all([
    load(serde, header.checkpoint[0], checkpointBytes),
    loadMetadata(serde, stored),
    Promise.all(
      present.map(async ({ channel, value }): Promise<[string, unknown]> => [
        channel,
        await loadValue(serde, value),
      ]),
    ),
  ]);
  const checkpoint = { ...certain(bare, isCheckpoint), channel_values: Object.fromEntries(entries) };
  return { parent: header.parent, checkpoint, metadata };
}

async function loadValue(serde: SerializerProtocol, stored: Buffer): Promise<unknown> {
  const { header, body } = unframe(stored);
  return load(serde, parse(ValueHeader, header).type, body);
}

/** In the order in which a run applies them, whatever the order they were stored in. */
export async function loadWrites(
  serde: SerializerProtocol,
  stored: readonly Buffer[],
): Promise<CheckpointPendingWrite[]> {
  const writes = stored.map((bytes) => {
    const { header, body } = unframe(bytes);
    return { ...parse(WriteHeader, header), body };
  });
  writes.sort((left, right) =>
    compareWritesSortKeys(
      writesSortKey(left.path, left.task, left.index),
      writesSortKey(right.path, right.task, right.index),
    ),
  );
  return Promise.all(
    writes.map(async ({ task, channel, type, body }): Promise<CheckpointPendingWrite> => [
      task,
      channel,
      await load(serde, type, body),
    ]),
  );
}

function splitRecord(stored: Buffer) {
  const { header, body } = unframe(stored);
  const parsed = parse(RecordHeader, header);
  const [, length] = parsed.checkpoint;
  return {
    header: parsed,
    metadata: parsed.metadata,
    checkpointBytes: body.subarray(0, length),
    metadataBytes: body.subarray(length, length + parsed.metadata[1]),
  };
}

function parse<T>(schema: z.ZodType<T>, header: unknown): T {
  const parsed = schema.safeParse(header);
  if (parsed.success) return parsed.data;
  throw new CheckpointError(
    "record_unreadable",
    "a stored record's header is not this package's",
    parsed.error,
  );
}

/** A copy, and a plain one: bytes may be handed on as they are, and must not keep a whole reply alive. */
function load(serde: SerializerProtocol, type: string, bytes: Buffer): Promise<unknown> {
  return serde.loadsTyped(type, new Uint8Array(bytes));
}

/** What the serializer gives back is what it was given, unless somebody exchanged it for another one. */
function isCheckpoint(loaded: unknown): loaded is Checkpoint {
  return isObject(loaded) && "id" in loaded && "channel_versions" in loaded && "versions_seen" in loaded;
}

function isMetadata(loaded: unknown): loaded is CheckpointMetadata {
  return isObject(loaded) && "source" in loaded;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function certain<T>(loaded: unknown, is: (value: unknown) => value is T): T {
  if (is(loaded)) return loaded;
  throw new CheckpointError("record_unreadable", "the serializer did not give back what was stored");
}
