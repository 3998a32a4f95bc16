import { CheckpointError } from "./errors.ts";

/** The keys of one thread, in the order in which the scripts take them. */
export type ThreadKeys = readonly [
  /** Sorted set of every thread's id by the time of its last write, in ms of the server's clock. */
  threads: string,
  /** Sorted set of `<namespace>/<checkpoint id>`, all of one score: ordered by their bytes. */
  order: string,
  /** Hash of those names to records. */
  records: string,
  /** Hash of `<namespace>/<channel>/<version>` to a channel's value. */
  values: string,
  /** Hash of `<namespace>/<checkpoint id>\0<task>/<index>` to a pending write. */
  writes: string,
  /** Sorted set of those names, so that one checkpoint's are found without reading the others'. */
  writesOrder: string,
];

export type Keys = {
  threads: string;
  ofThread(threadId: string): ThreadKeys;
};

export function keysBelow(prefix: string): Keys {
  const threads = `${prefix}:threads`;
  return {
    threads,
    ofThread(threadId) {
      const thread = `${prefix}:thread:${encode(threadId)}`;
      return [
        threads,
        `${thread}:order`,
        `${thread}:records`,
        `${thread}:values`,
        `${thread}:writes`,
        `${thread}:writes-order`,
      ];
    },
  };
}

/** What names a namespace's checkpoints start with. */
export function namespacePrefix(namespace: string): string {
  return `${encode(namespace)}/`;
}

/** The first name behind all those with that prefix: `0` follows `/`. */
export function namespaceEnd(namespace: string): string {
  return `${encode(namespace)}0`;
}

/** The id stands last and as it is, so that names of a namespace sort as their ids do. */
export function checkpointName(namespace: string, checkpointId: string): string {
  return `${namespacePrefix(namespace)}${checkpointId}`;
}

export function readCheckpointName(name: string): { namespace: string; checkpointId: string } {
  const slash = name.indexOf("/");
  return { namespace: decodeURIComponent(name.slice(0, slash)), checkpointId: name.slice(slash + 1) };
}

/** Within its namespace. */
export function valueName(channel: string, version: string | number): string {
  return `${encode(channel)}/${encode(String(version))}`;
}

export function channelOf(valueName: string): string {
  return decodeURIComponent(valueName.slice(0, valueName.indexOf("/")));
}

/** Within its checkpoint. */
export function writeName(taskId: string, index: number): string {
  return `${encode(taskId)}/${index}`;
}

/** Two names never share a form, and no form has a separator, a brace or a byte above 0x7E in it. */
function encode(name: string): string {
  try {
    return encodeURIComponent(name);
  } catch (cause) {
    throw new CheckpointError("config_invalid", "a name is not text that can be stored", cause);
  }
}
