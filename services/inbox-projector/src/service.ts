import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "@interlude/event-log";
import type { Batch } from "@interlude/inbox-model";
import { ServiceFailure } from "@interlude/kernel";
import type { Database, Session } from "@interlude/postgres";
import type { Logger, Metrics, Service } from "@interlude/service-kit";
import { createLogSource } from "./adapters/log-source.ts";
import { createPostgresReadModel } from "./adapters/postgres-read-model.ts";
import { followLog } from "./application/follow-log.ts";
import { createPurgeFollowing } from "./follow-purges.ts";

/** What the projector measures. */
export type ProjectorMetrics = {
  projectedSequence: Pick<Metrics["projectedSequence"], "set">;
  skippedEvents: { inc(labels: { reader: string }, by: number): void };
};

export type InboxProjectorDeps = {
  log: Log;
  database: Database;
  logger: Logger;
  metrics?: ProjectorMetrics;
};

/** `standby`: another projector has the lock; `failing`: tries again by itself, and `reason` says what is in the way. */
export type ProjectorStatus = {
  state: "stopped" | "standby" | "projecting" | "failing";
  /** The last sequence this process has projected; 0 before. */
  sequence: number;
  reason?: string;
};

export interface InboxProjector extends Service {
  /** Returns at once: what is away is waited for in the background. */
  start(): Promise<void>;
  /** Finishes the transaction that runs. */
  stop(): Promise<void>;
  status(): ProjectorStatus;
}

const LOCK = "interlude inbox-projector";
const READER = "inbox-projector";
const STANDBY_EVERY_MS = 500;
const RETRY_AFTER_MS = 500;
const FOLLOW_AGAIN_AFTER_MS = 100;

export function createInboxProjector({ log, database, logger, metrics }: InboxProjectorDeps): InboxProjector {
  const stopping = new AbortController();
  const { signal } = stopping;
  let status: ProjectorStatus = { state: "stopped", sequence: 0 };
  let loop: Promise<void> = Promise.resolve();

  const purges = createPurgeFollowing({ log, database, logger });
  const source = createLogSource(log, (error) => {
    logger.error("a stored event cannot be read and is left out of the inbox", { error: textOf(error) });
  });

  function enter(state: ProjectorStatus["state"], reason?: string): void {
    if (status.state === state && status.reason === reason) return;
    status = { state, sequence: status.sequence, ...(reason === undefined ? {} : { reason }) };
    if (state === "failing") logger.error("the inbox is not projected now; trying again", { reason });
    else logger.info("the inbox projector changed its state", { state, sequence: status.sequence });
  }

  function started(position: number): void {
    status = { ...status, sequence: position };
    metrics?.projectedSequence.set(position);
    enter("projecting");
  }

  function written(batch: Batch): void {
    status = { ...status, sequence: batch.sequence };
    metrics?.projectedSequence.set(batch.sequence);
    if (batch.skipped > 0) metrics?.skippedEvents.inc({ reader: READER }, batch.skipped);
  }

  function refused(sequence: number, error: unknown): void {
    logger.error("a stored event cannot be projected and is left out of the inbox", {
      sequence,
      error: textOf(error),
    });
  }

  /** Waits for the lock, then projects for as long as the session lives. */
  async function serve(session: Session): Promise<void> {
    while (!signal.aborted && !(await session.tryLock(LOCK))) {
      enter("standby");
      await pause(STANDBY_EVERY_MS);
    }
    const model = createPostgresReadModel(session);
    while (!isStopping()) {
      await followLog(source, model, signal, { started, written, refused });
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
    name: READER,
    routes: [],
    // Without it lists grow old; nothing else waits for it.
    health: () =>
      status.state === "failing" ? { status: "degraded", reason: status.reason ?? "" } : { status: "ok" },
    start() {
      loop = run();
      purges.start();
      return Promise.resolve();
    },
    async stop() {
      stopping.abort();
      await Promise.all([loop, purges.stop()]);
      enter("stopped");
    },
    status: () => status,
  };
}

function textOf(error: unknown): string {
  if (error instanceof ServiceFailure) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
