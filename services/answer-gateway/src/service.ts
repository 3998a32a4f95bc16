import {
  type Bucket,
  createCachedStore,
  createInteractionStore,
  type InteractionStore,
  type Log,
  logBounds,
  readFeed,
  readLog,
  type Tail,
} from "@interlude/event-log";
import { constantPages } from "@interlude/forms";
import type { SignIn } from "@interlude/oidc";
import type { Database } from "@interlude/postgres";
import type { Keyring, SessionCookie } from "@interlude/secrets";
import {
  type AnswerKeys,
  type CallbackLinks,
  createRateLimiter,
  createWaitSlots,
  type KeyState,
  type Logger,
  type Metrics,
  type Service,
  type Settings,
  type Waiters,
  type WaitSlots,
} from "@interlude/service-kit";
import { answerDoors } from "./adapters/answer-doors.ts";
import { callbackDoors } from "./adapters/callback-doors.ts";
import { feedDoor } from "./adapters/feed-door.ts";
import { listDoor } from "./adapters/list-door.ts";
import { pageDoors } from "./adapters/page-doors.ts";
import { providerDoors } from "./adapters/provider-doors.ts";
import { readDoors } from "./adapters/read-doors.ts";
import { sessionDoors } from "./adapters/session-doors.ts";
import { streamDoor } from "./adapters/stream-door.ts";
import { createCallbackDeliveries } from "./application/callback-deliveries.ts";
import type { Revocations } from "./application/revocations.ts";
import { createStreamHub } from "./application/stream-hub.ts";

export type AnswerGatewayDeps = KeyState & {
  log: Log;
  tail: Tail;
  waiters: Waiters;
  /** Shared with every other door of the process that waits. */
  waitSlots: WaitSlots;
  database: Database;
  answerKeys: AnswerKeys;
  links: CallbackLinks;
  /** Delivery ids that the callback door has seen. */
  deliveries: Bucket;
  /** What a verifier's `secret_ref` stands for. */
  secret: (name: string) => string | undefined;
  sessions: Bucket;
  sessionKeys: Keyring;
  cookie: SessionCookie;
  revocations: Revocations;
  /** The way to sign in at an identity provider, where there is one. */
  signIn: SignIn | undefined;
  signInCookie: SessionCookie;
  publicOrigin: string | undefined;
  settings: Settings;
  logger: Logger;
  metrics: Metrics;
  /** Where the built inbox page lies. */
  pageDirectory: string;
};

const MEGABYTE = 1_024 * 1_024;

/** The doors that read and answer, the live stream, sign-in and the inbox's page. */
export function createAnswerGateway(deps: AnswerGatewayDeps): Service {
  const { log, tail, settings, metrics, logger, links, database } = deps;
  const store: InteractionStore = createInteractionStore(log);
  const remembering = createCachedStore(store, tail, settings.remembered_questions_mb * MEGABYTE);
  const keepaliveMs = settings.sse_keepalive_seconds * 1_000;
  const hub = createStreamHub({
    tail,
    links,
    logger,
    metrics,
    keepaliveMs,
    resumeWindow: settings.sse_resume_window,
    logBounds: () => logBounds(log),
    readLog: (from, batch) =>
      readLog(log, from, batch, () => {
        metrics.skippedEvents.inc({ reader: "stream" });
      }),
  });
  const streamSlots = createWaitSlots(settings.max_streams, () => undefined);
  let isDatabaseUp = true;
  let probing: NodeJS.Timeout | undefined;

  const { clock } = log;
  return {
    name: "answer-gateway",
    routes: [
      ...answerDoors({ store: remembering, keys: deps.answerKeys, clock }),
      ...callbackDoors({
        store,
        keys: deps.answerKeys,
        clock,
        keyring: links.keyring,
        deliveries: createCallbackDeliveries(deps.deliveries),
        secret: deps.secret,
        limiter: createRateLimiter({
          perMinute: settings.callback_rate_per_minute,
          nowMs: () => performance.now(),
        }),
        pages: constantPages(settings.page_language),
        language: settings.page_language,
        logger,
      }),
      ...readDoors({
        store,
        waiters: deps.waiters,
        keys: deps.answerKeys,
        clock,
        links,
        waitSlots: deps.waitSlots,
      }),
      listDoor({ database, clock, links, logBounds: () => logBounds(log) }),
      feedDoor({
        feed: (before) =>
          readFeed(log, before, () => {
            metrics.skippedEvents.inc({ reader: "feed" });
          }),
      }),
      streamDoor({ hub, streamSlots, logger, metrics, keepaliveMs }),
      ...sessionDoors({
        sessions: deps.sessions,
        keyring: deps.sessionKeys,
        clock,
        keys: deps.keys,
        denied: deps.denied,
        revocations: deps.revocations,
        cookie: deps.cookie,
        publicOrigin: deps.publicOrigin,
      }),
      ...providerDoors({ ...deps, keyring: deps.sessionKeys, clock }),
      ...pageDoors(deps.pageDirectory, deps.signIn?.providerName),
    ],
    start() {
      probing = setInterval(() => {
        void database.isUp().then((up) => {
          isDatabaseUp = up;
        });
      }, 2_000);
      return Promise.resolve();
    },
    stop() {
      clearInterval(probing);
      hub.close();
      remembering.close();
      return Promise.resolve();
    },
    health() {
      if (!log.isUp() || !clock.isKnown) return { status: "down", reason: "NATS is away" };
      return isDatabaseUp ? { status: "ok" } : { status: "degraded", reason: "Postgres is away: lists wait" };
    },
  };
}
