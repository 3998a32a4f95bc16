import { type Checkpointer, InterludeError } from "@interlude/sdk";
import { BaseCheckpointSaver, MemorySaver } from "@langchain/langgraph";

const KINDS: Readonly<Record<string, Checkpointer["kind"]>> = {
  PostgresSaver: "postgres",
  ShallowPostgresSaver: "postgres",
  RedisSaver: "redis",
  ShallowRedisSaver: "redis",
  RedisCheckpointSaver: "redis",
};
const REFUSED = ["MemorySaver", "InMemorySaver", "SqliteSaver"];
const USE =
  "compile the graph with a PostgresSaver (@langchain/langgraph-checkpoint-postgres) or a RedisCheckpointSaver (@interlude/checkpoint-redis)";

/** A graph's own saver, and what the service is told of it. */
export type Found = Readonly<{ saver: BaseCheckpointSaver; checkpointer: Checkpointer }>;

/**
 * What keeps the state of a graph. `said` is for savers that are not known by their name, as in a bundle that
 * renames classes; one that is known to lose or to hide its state is refused whatever is said of it.
 */
export function checkpointerOf(graph: { checkpointer?: unknown }, said?: Partial<Checkpointer>): Found {
  const { checkpointer: given } = graph;
  if (!isSaver(given)) throw refused("The graph has no checkpointer");
  const saver = given;
  const names = namesOf(saver);
  const lost = names.find((name) => REFUSED.includes(name));
  if (lost !== undefined || saver instanceof MemorySaver) {
    throw refused(`A ${lost ?? "MemorySaver"} is lost with its process, or out of reach of other workers`);
  }
  const kind = said?.kind ?? names.map((name) => KINDS[name]).find((found) => found !== undefined);
  if (kind === undefined) {
    throw refused(
      `A ${names[0] ?? "checkpointer"} is not known; if every worker shares it, give checkpointer: { kind }`,
    );
  }
  const retentionSeconds = said?.retentionSeconds ?? retentionOf(saver);
  return { saver, checkpointer: { kind, ...(retentionSeconds === undefined ? {} : { retentionSeconds }) } };
}

function isSaver(value: unknown): value is BaseCheckpointSaver {
  return value instanceof BaseCheckpointSaver;
}

function namesOf(saver: object): string[] {
  const names: string[] = [];
  for (
    let at: unknown = saver.constructor;
    typeof at === "function" && at.name !== "";
    at = Object.getPrototypeOf(at)
  ) {
    names.push(at.name);
  }
  return names;
}

/** Savers that evict idle threads say after how long: in seconds, or, LangChain's for Redis, in minutes. */
function retentionOf(saver: object): number | undefined {
  if ("retentionSeconds" in saver && typeof saver.retentionSeconds === "number")
    return saver.retentionSeconds;
  const ttl: unknown = "ttlConfig" in saver ? saver.ttlConfig : undefined;
  if (typeof ttl !== "object" || ttl === null || !("defaultTTL" in ttl)) return undefined;
  return typeof ttl.defaultTTL === "number" ? ttl.defaultTTL * 60 : undefined;
}

function refused(why: string): InterludeError {
  return new InterludeError({
    code: "validation_failed",
    detail: `${why}: a parked run could not be brought back. ${USE}.`,
    errors: [{ path: "/checkpointer/kind", message: "must be postgres or redis" }],
  });
}
