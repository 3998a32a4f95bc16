import { type Client, InterludeError, type RunState } from "@interlude/sdk";

/**
 * In the order in which a run gets from one to the next without a step of its graph, so that one that does so while
 * the lists are read is in a later one: parked, resuming, failed; and failed, replayed, resuming.
 */
const READ: readonly RunState[] = ["failed", "parked", "resuming", "failed"];

type Asked = Pick<Client, "listRuns" | "getRun">;

/**
 * Every run of a driver that may still go on. @throws InterludeError when that cannot be known: the service is out of
 * reach, or what it knows of runs is behind, as while it is rebuilt, and its lists are short.
 */
export async function parkedRuns(client: Asked, driver: string): Promise<Set<string>> {
  await requireWhole(client, driver);
  const runs = new Set<string>();
  for (const state of READ) {
    let cursor: string | undefined;
    do {
      const page = await client.listRuns({ driver, state, cursor });
      for (const { runId } of page.items) runs.add(runId);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
  await requireWhole(client, driver);
  return runs;
}

/** A run that there never was is said not to exist only by a service that knows of all the others. */
async function requireWhole(client: Asked, driver: string): Promise<void> {
  try {
    await client.getRun(driver, `none-${crypto.randomUUID()}`);
  } catch (error) {
    if (error instanceof InterludeError && error.code === "not_found") return;
    throw error;
  }
}
