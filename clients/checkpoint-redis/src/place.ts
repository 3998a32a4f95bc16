import type { RunnableConfig } from "@langchain/core/runnables";
import { getCheckpointId } from "@langchain/langgraph-checkpoint";
import { CheckpointError } from "./errors.ts";

/** Where a checkpoint belongs: a thread, a namespace in it (a subgraph's; empty for the graph itself). */
export type Place = Readonly<{ threadId: string; namespace: string }>;

/** What a configuration names. Nothing in it is more than a wish: `configurable` is whatever the caller put there. */
export type Named = Readonly<{
  threadId: string | undefined;
  namespace: string | undefined;
  checkpointId: string | undefined;
}>;

export function readConfig(config: RunnableConfig | undefined): Named {
  const named: Readonly<Record<string, unknown>> = config?.configurable ?? {};
  return {
    threadId: identifier("thread_id", named["thread_id"]),
    namespace: text("checkpoint_ns", named["checkpoint_ns"]),
    checkpointId: config === undefined ? undefined : identifier("checkpoint_id", getCheckpointId(config)),
  };
}

/** The place a checkpoint is written to; refused without a thread. */
export function readPlace(named: Named): Place {
  if (named.threadId === undefined) {
    throw new CheckpointError(
      "config_invalid",
      'configurable.thread_id is missing: say whose checkpoint it is, as in { configurable: { thread_id: "t-1" } }',
    );
  }
  return { threadId: named.threadId, namespace: named.namespace ?? "" };
}

function identifier(name: string, value: unknown): string | undefined {
  const given = text(name, value);
  return given === "" ? undefined : given;
}

/** Half a surrogate pair has no UTF-8 form: two different names would become the same bytes. */
function text(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (
    typeof value !== "string" ||
    !value.isWellFormed() ||
    (name === "checkpoint_id" && value.includes("\0"))
  ) {
    throw new CheckpointError("config_invalid", `configurable.${name} is not text that can be stored`);
  }
  return value;
}
