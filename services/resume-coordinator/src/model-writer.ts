import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import type { Database, Session } from "@interlude/postgres";
import type { ParkRow } from "@interlude/run-model";
import type { Logger, Metrics } from "@interlude/service-kit";
import { createPostgresRunModel } from "./adapters/postgres-run-model.ts";
import { createRunLogSource } from "./adapters/run-log-source.ts";
import { followRuns } from "./application/follow-runs.ts";
import { createPurgeFollowing } from "./follow-purges.ts";

export type ModelWriterDeps = {
  log: Log;
  database: Database;
  logger: Logger;
  metrics: Pick<Metrics, "skippedEvents">;
  /** Has each of these resumed. */
  release: (parks: readonly ParkRow[]) => Promise<void>;
};

/** `standby`: another coordinator writes; `failing`: tries again by itself. */
export type WriterState = { state: "stopped" | "standby" | "writing" | "failing"; reason?: string };

export interface ModelWriter {
  start(): void;
  /** Finishes the transaction that runs. */
  stop(): Promise<void>;
  status(): WriterState;
}

const LOCK = "interlude resume-coordinator";
const READER = "resume-coordinator";
const STANDBY_EVERY_MS = 500;
const RETRY_AFTER_MS = 500;
const FOLLOW_AGAIN_AFTER_MS = 100;

/** Keeps the read model of runs, in one process at a time; the lock saves work, the cursors keep the rows right. */
export function createModelWriter({ log, database, logger, metrics, release }: ModelWriterDeps): ModelWriter {
  const stopping = new AbortController();
  const { signal } = stopping;
  let status: WriterState = { state: "stopped" };
  let loop: Promise<void> = Promise.resolve();

  const purges = createPurgeFollowing({ log, database, logger });
  const source = createRunLogSource(log, (error) => {
    logger.error("a stored event cannot be read and is left out of the runs", { error: textOf(error) });
  });

  function enter(state: WriterState["state"], reason?: string): void {
    if (status.state === state && status.reason === reason) return;
    status = { state, ...(reason === undefined ? {} : { reason }) };
    if (state === "failing") logger.error("runs are not followed now; trying again", { reason });
    else logger.info("the coordinator's writer changed its state", { state });
  }

  const events = {
    started: () => {
      enter("writing");
    },
    written: (batch: { skipped: number }) => {
      if (batch.skipped > 0) metrics.skippedEvents.inc({ reader: READER }, batch.skipped);
    },
    refused: ({ stream, sequence }: { stream: string; sequence: number }, error: unknown) => {
      const fields = { stream, sequence, error: textOf(error) };
      logger.error("a stored event does not go into the read model of runs and is left out", fields);
    },
  };

  /** Waits for the lock, then writes for as long as the session lives. */
  async function serve(session: Session): Promise<void> {
    while (!signal.aborted && !(await session.tryLock(LOCK))) {
      enter("standby");
      await pause(STANDBY_EVERY_MS);
    }
    const model = createPostgresRunModel(session, database);
    while (!isStopping()) {
      await followRuns(source, model, release, signal, events);
      await pause(FOLLOW_AGAIN_AFTER_MS);
    }
  }

  async function run(): Promise<void> {
    while (!isStopping()) {
      let session: Session | undefined;
      try {
        session = await database.openSession();
        await serve(session);
      } catch (error) {
        if (!isStopping()) enter("failing", textOf(error));
      } finally {
        await session?.close();
      }
      await pause(RETRY_AFTER_MS);
    }
  }

  function isStopping(): boolean {
    return signal.aborted;
  }

  async function pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal }).catch(() => undefined);
  }

  return {
    start() {
      loop = run();
      purges.start();
    },
    async stop() {
      stopping.abort();
      await Promise.all([loop, purges.stop()]);
      enter("stopped");
    },
    status: () => status,
  };
}

export function textOf(error: unknown): string {
  if (error instanceof ServiceFailure) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
