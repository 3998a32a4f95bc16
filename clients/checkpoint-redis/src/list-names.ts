import { checkpointName, namespaceEnd, namespacePrefix, readCheckpointName, type Keys } from "./keys.ts";
import { asList, asText, type Commands } from "./redis-client.ts";

export type CheckpointName = Readonly<{ threadId: string; namespace: string; checkpointId: string }>;

export type Wanted = Readonly<{
  threadId: string | undefined;
  namespace: string | undefined;
  checkpointId: string | undefined;
  /** Only checkpoints older than this one. */
  before: string | undefined;
}>;

const PAGE = 100;

/**
 * The names of checkpoints, page by page, the newest first. Without a thread: thread after thread,
 * the one that was written to last first.
 */
export async function* listNames(
  commands: Commands,
  keys: Keys,
  wanted: Wanted,
): AsyncGenerator<CheckpointName[]> {
  const threads =
    wanted.threadId === undefined
      ? asList(await commands.send(["ZRANGE", keys.threads, "0", "-1", "REV"])).map(asText)
      : [wanted.threadId];
  for (const threadId of threads) yield* namesOfThread(commands, keys, threadId, wanted);
}

async function* namesOfThread(
  commands: Commands,
  keys: Keys,
  threadId: string,
  { namespace, checkpointId, before }: Wanted,
): AsyncGenerator<CheckpointName[]> {
  const [, order] = keys.ofThread(threadId);
  const isWanted = (name: CheckpointName): boolean =>
    (checkpointId === undefined || name.checkpointId === checkpointId) &&
    (before === undefined || name.checkpointId < before);
  const pages =
    namespace === undefined
      ? allNames(commands, order)
      : namesOfNamespace(commands, order, namespace, before);
  for await (const page of pages) {
    const names = page.map((name) => ({ threadId, ...readCheckpointName(name) })).filter(isWanted);
    if (names.length > 0) yield names;
  }
}

/** A namespace's names lie together and in order, so that only what is asked for is read. */
async function* namesOfNamespace(
  commands: Commands,
  order: string,
  namespace: string,
  before: string | undefined,
): AsyncGenerator<string[]> {
  let below = before === undefined ? namespaceEnd(namespace) : checkpointName(namespace, before);
  for (;;) {
    const range = [`(${below}`, `[${namespacePrefix(namespace)}`, "BYLEX", "REV", "LIMIT", "0", String(PAGE)];
    const page = asList(await commands.send(["ZRANGE", order, ...range])).map(asText);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    below = last;
  }
}

/** Over all namespaces only the ids themselves give an order. */
async function* allNames(commands: Commands, order: string): AsyncGenerator<string[]> {
  const names = asList(await commands.send(["ZRANGE", order, "0", "-1"])).map(asText);
  const idOf = new Map(names.map((name) => [name, readCheckpointName(name).checkpointId]));
  names.sort((left, right) => compare(idOf.get(right) ?? "", idOf.get(left) ?? ""));
  for (let from = 0; from < names.length; from += PAGE) yield names.slice(from, from + PAGE);
  await Promise.resolve();
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
