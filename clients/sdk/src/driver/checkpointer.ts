import { invalid } from "../errors.ts";
import { isObject } from "../json.ts";

export type Checkpointer = Readonly<{
  kind: "postgres" | "redis";
  /** How long the state of an idle run is kept; unset: for ever. No question of a run may outlive it. */
  retentionSeconds?: number | undefined;
}>;

const USE = "use postgres or redis, which outlive the process and which every worker can reach";

/** Said here rather than by the service alone, so that it is said before anything is sent. */
export function checkCheckpointer(given: unknown): void {
  const kind = isObject(given) ? given["kind"] : undefined;
  if (kind === "postgres" || kind === "redis") return;
  const got = typeof kind === "string" ? `${JSON.stringify(kind)} cannot` : "without one nothing can";
  throw invalid("/checkpointer/kind", `${got} bring a parked run back: ${USE}`);
}
