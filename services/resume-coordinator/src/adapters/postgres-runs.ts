import { setTimeout as delay } from "node:timers/promises";
import type { Log, ParkAddress } from "@interlude/event-log";
import type { Database } from "@interlude/postgres";
import {
  getFailedRun,
  getRun,
  latestDeadlineMs,
  listRuns,
  type Positions,
  readPositions,
} from "@interlude/run-model";
import { ServiceFailure } from "@interlude/kernel";
import type { RunQueries } from "./run-doors.ts";
import { lastPositions } from "./run-log-source.ts";

const CATCH_UP_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 15;
const MOST_PARKS_OF_A_QUESTION = 1_000;

export type PostgresRuns = RunQueries & {
  /** Of every question whose asking was answered before. @throws ServiceFailure when that cannot be told now */
  latestDeadlineMs(driver: string): Promise<number | undefined>;
  /** Whether a park that is not over waits for the question, beside the one given. @throws ServiceFailure */
  isAwaitedElsewhere(interactionId: string, address: ParkAddress): Promise<boolean>;
};

export function createPostgresRuns(log: Log, database: Database): PostgresRuns {
  async function catchUp(): Promise<boolean> {
    const last = await lastPositions(log);
    const deadline = performance.now() + CATCH_UP_WITHIN_MS;
    for (;;) {
      if (includes(await database.run((sql) => readPositions(sql)), last)) return true;
      if (performance.now() >= deadline) return false;
      await delay(LOOK_EVERY_MS);
    }
  }

  return {
    catchUp,
    list: (filter) => listRuns(database, filter),
    newest: (driver, runToken, parkId) => getRun(database, driver, runToken, parkId),
    failed: (driver, runToken) => getFailedRun(database, driver, runToken),
    async latestDeadlineMs(driver) {
      await requireCaughtUp();
      return latestDeadlineMs(database, driver);
    },
    async isAwaitedElsewhere(interactionId, address) {
      await requireCaughtUp();
      const parks = await listRuns(database, { interactionId, limit: MOST_PARKS_OF_A_QUESTION });
      return parks.ok && parks.value.items.some((park) => park.state !== "resumed" && !isSame(park, address));
    },
  };

  async function requireCaughtUp(): Promise<void> {
    if (await catchUp()) return;
    const message = "the read model of runs is behind";
    throw new ServiceFailure("database_unavailable", { retry: "later", message });
  }
}

function isSame(one: ParkAddress, other: ParkAddress): boolean {
  return one.driver === other.driver && one.runToken === other.runToken && one.parkToken === other.parkToken;
}

function includes(positions: Positions, last: Positions): boolean {
  return positions.interactions >= last.interactions && positions.runs >= last.runs;
}
