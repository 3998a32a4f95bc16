import { setTimeout as delay } from "node:timers/promises";
import {
  type Bucket,
  consumeDurable,
  createDriverStore,
  createInteractionStore,
  createRunStore,
  DURABLES,
  type Log,
  logBounds,
  parseRunSubject,
  readRun,
  readRunsForward,
  STREAMS,
} from "@interlude/event-log";
import type { Database } from "@interlude/postgres";
import { driversInConversations, pendingAsks, resumingDrivers, waitForRuns } from "@interlude/run-model";
import type { Keyring } from "@interlude/secrets";
import type { AnswerKeys, Logger, Metrics, Service, Settings, WaitSlots } from "@interlude/service-kit";
import { claimDoors } from "./adapters/claim-doors.ts";
import { driverDoors } from "./adapters/driver-doors.ts";
import { resumingOf } from "./adapters/postgres-claimables.ts";
import { createPostgresRuns } from "./adapters/postgres-runs.ts";
import { runDoors } from "./adapters/run-doors.ts";
import { resolutionPage } from "./application/claim-view.ts";
import type { ClaimDesk } from "./application/claim-desk.ts";
import { releaseParks } from "./application/release-parks.ts";
import { replayRun } from "./application/replay-run.ts";
import { runHistory } from "./application/run-history.ts";
import { followNews, type RunNews } from "./application/run-news.ts";
import { runQuestions } from "./application/run-questions.ts";
import { shredAnswers } from "./application/shred-answers.ts";
import { type Claiming, createClaiming } from "./claiming.ts";
import { createDisabledWatch } from "./disabled-watch.ts";
import { createModelWriter, textOf } from "./model-writer.ts";
import { createRunGauges } from "./run-gauges.ts";

export type ResumeCoordinatorDeps = {
  log: Log;
  database: Database;
  answerKeys: AnswerKeys;
  /** What claims' ids and tokens are signed with; the authenticator opens them with the same. */
  claimKeys: Keyring;
  /** What people say in conversations is sealed with. */
  turnKeys: () => Promise<Keyring>;
  /** Which claim an idempotency key stands for. */
  claimsByKey: Bucket;
  /** Shared with every other door of the process that waits. */
  waitSlots: WaitSlots;
  settings: Settings;
  secret: (name: string) => string | undefined;
  hasSecret: (name: string) => boolean;
  /** Subjects and key ids that are disabled now. */
  denied: () => ReadonlySet<string>;
  /** Exact origins that continuations may be posted to. */
  continuationUrls: readonly string[];
  logger: Logger;
  metrics: Metrics;
  measureEveryMs?: number;
};

const MEASURE_EVERY_MS = 15_000;
const SHRED_CONCURRENCY = 4;
const PUSH_AGAIN_AFTER_MS = 1_000;

/** Drivers, parks and claims: where a run waits for people, and from where it goes on once. */
export function createResumeCoordinator(deps: ResumeCoordinatorDeps): Service {
  const { log, database, logger, metrics } = deps;
  const parts = createParts(deps);
  const { runs, claiming, disabled } = parts;
  const writer = createModelWriter({
    log,
    database,
    logger,
    metrics,
    release: (parks) => releaseParks(runs, log.clock, parks),
  });
  const everyMs = deps.measureEveryMs ?? MEASURE_EVERY_MS;
  const gauges = createRunGauges({ database, clock: log.clock, metrics, everyMs });
  const stopping = new AbortController();
  let following: Promise<unknown> = Promise.resolve();
  let shredding: { close(): Promise<void> } | undefined;

  return {
    name: "resume-coordinator",
    routes: routesOf(deps, parts),
    async start() {
      // Before a door is open: whoever waits is told of everything that comes after.
      const { lastSequence } = await logBounds(log, STREAMS.runs);
      following = Promise.all([
        followNews(newsDeps(deps, parts), lastSequence, stopping.signal),
        resumePushing(deps, parts, stopping.signal),
      ]);
      shredding = startShredding(deps, parts);
      writer.start();
      disabled.start();
      gauges.start();
    },
    async stop() {
      stopping.abort();
      gauges.stop();
      // Who waits for a claim is let go first: the server waits for them.
      await Promise.all([claiming.desk.stop(), claiming.pushing.stop(), disabled.stop()]);
      await Promise.all([following, shredding?.close(), writer.stop()]);
    },
    health() {
      if (!log.isUp() || !log.clock.isKnown) return { status: "down", reason: "NATS is away" };
      const { state, reason = "" } = writer.status();
      return state === "failing" ? { status: "degraded", reason } : { status: "ok" };
    },
  };
}

type Parts = ReturnType<typeof createParts>;

function createParts(deps: ResumeCoordinatorDeps) {
  const { log, database, denied, logger } = deps;
  const interactions = createInteractionStore(log);
  const drivers = createDriverStore(log);
  const runs = createRunStore(log);
  const continuationOrigins: ReadonlySet<string> = new Set(deps.continuationUrls);
  const claiming: Claiming = createClaiming({ ...deps, interactions, drivers, runs, continuationOrigins });
  return {
    interactions,
    drivers,
    runs,
    continuationOrigins,
    claiming,
    queries: createPostgresRuns(log, database),
    disabled: createDisabledWatch({
      runs,
      denied,
      logger,
      clock: log.clock,
      resumingOf: (owner) => resumingOf(database, owner),
    }),
  };
}

function routesOf(deps: ResumeCoordinatorDeps, parts: Parts): Service["routes"] {
  const { log, database, answerKeys, waitSlots, hasSecret } = deps;
  const { interactions, drivers, runs, queries, continuationOrigins, claiming } = parts;
  const { clock } = log;
  const pending = (ids: readonly string[]) => pendingAsks(database, ids);
  const latestDeadlineMs = (driver: string) => queries.latestDeadlineMs(driver);
  return [
    ...driverDoors({
      ...{ drivers, waitSlots, take: claiming.take, view: claiming.view, giveBack: claiming.giveBack },
      register: { drivers, clock, hasSecret, continuationOrigins, latestDeadlineMs },
    }),
    ...runDoors({
      queries,
      park: { log, interactions, runs, drivers, parkedAgain: claiming.parkedAgain },
      replay: (address, by, trace) => replayRun({ runs, clock }, address, by, trace),
      questions: (address, request) => runQuestions({ log, interactions, runs, pending }, address, request),
      history: async (driver, runToken) => runHistory(await readRun(log, driver, runToken)),
    }),
    ...claimDoors({
      own: claiming.own,
      page: async (parked, start) =>
        (await resolutionPage({ log, interactions, answerKeys }, parked, start)).page,
    }),
  ];
}

function newsDeps(
  { log, database }: ResumeCoordinatorDeps,
  { claiming, disabled }: Parts,
): Parameters<typeof followNews>[0] {
  return {
    read: (fromSequence, signal) =>
      readRunsForward(log, { fromSequence, signal, onUnreadable: () => undefined }),
    waitForModel: (sequence, withinMs) => waitForRuns(database, sequence, withinMs),
    onRequested: (park) => {
      claiming.desk.offer(park);
    },
    onProjected({ drivers, owners, conversations }, sequence) {
      for (const driver of drivers) void claiming.pushing.ensure(driver).catch(() => undefined);
      claiming.desk.wake(drivers, sequence);
      if (conversations.size > 0) void wakeBeside(database, claiming.desk, { drivers, conversations });
      disabled.look(owners);
    },
    onRegistered: (registered) => {
      claiming.pushing.changed(registered);
    },
  };
}

/** What held a conversation may be over: its other drivers have waited for that. */
async function wakeBeside(
  database: Database,
  desk: ClaimDesk,
  { drivers, conversations }: Pick<RunNews, "drivers" | "conversations">,
): Promise<void> {
  try {
    const all = await driversInConversations(database, [...conversations]);
    desk.wake(
      all.filter((driver) => !drivers.has(driver)),
      0,
    );
  } catch {
    // They find for themselves that Postgres is away, and look again once it is back.
    desk.wakeAll();
  }
}

/** What was left to be posted goes on without an event; with Postgres away, once it is back. */
async function resumePushing(
  { database }: ResumeCoordinatorDeps,
  { claiming: { pushing } }: Parts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const driver of await resumingDrivers(database)) await pushing.ensure(driver);
      return;
    } catch {
      await delay(PUSH_AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** A durable, because an answer that is to be forgotten must be, whichever process dies in between. */
function startShredding(deps: ResumeCoordinatorDeps, { runs, interactions, queries }: Parts) {
  const { log, answerKeys, logger } = deps;
  return consumeDurable(log, {
    stream: STREAMS.runs,
    durable: DURABLES.resumesCompleted,
    concurrency: SHRED_CONCURRENCY,
    async handle({ subject }) {
      const address = parseRunSubject(subject)?.address;
      if (address === undefined) return "done";
      const isAwaited = (id: string) => queries.isAwaitedElsewhere(id, address);
      const shredded = await shredAnswers({ log, runs, interactions, answerKeys, isAwaited }, address);
      if (shredded > 0) logger.info("sensitive answers of a resumed run were shredded", { shredded });
      return "done";
    },
    onFailure: (error) => {
      logger.warn("answers of a resumed run are not shredded yet", { reason: textOf(error) });
    },
  });
}
