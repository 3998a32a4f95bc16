import { createAnswerGateway, openRevocations } from "@interlude/answer-gateway";
import { createAsker } from "@interlude/asker";
import { createChannelDispatcher } from "@interlude/channel-dispatcher";
import { openApiDocument } from "@interlude/contract";
import {
  createRunStore,
  findLiveClaim,
  type Log,
  logBounds,
  openBucket,
  openLog,
  openTail,
  STREAMS,
  type Tail,
  verifyLog,
} from "@interlude/event-log";
import { createExpiryScheduler } from "@interlude/expiry-scheduler";
import { countOpenAsks, findQueuedAsks, INBOX_MIGRATIONS } from "@interlude/inbox-model";
import { createInboxProjector } from "@interlude/inbox-projector";
import { createMedia } from "@interlude/media";
import { createOidc, type Oidc } from "@interlude/oidc";
import { type Database, openDatabase, verifySchema } from "@interlude/postgres";
import { createResumeCoordinator } from "@interlude/resume-coordinator";
import { createRetention } from "@interlude/retention";
import { RUN_MIGRATIONS } from "@interlude/run-model";
import { type Keyring, sessionCookie, signInCookie } from "@interlude/secrets";
import {
  conversationKeysOf,
  createAnswerKeys,
  createAuthenticator,
  createHttpApp,
  createMetrics,
  createWaiters,
  createWaitSlots,
  type HttpAppDeps,
  type HttpServer,
  keepConversationKeys,
  type Logger,
  type Metrics,
  type Route,
  type Service,
  startHttpServer,
  systemDoors,
  type Waiters,
  type WaitSlots,
} from "@interlude/service-kit";
import { ServiceFailure } from "@interlude/kernel";
import { type Channels, openChannels } from "./channels.ts";
import type { Config } from "./config.ts";
import type { OperatorFiles } from "./operator-files.ts";

export const SERVICE_NAMES = [
  "asker",
  "answer-gateway",
  "inbox-projector",
  "expiry-scheduler",
  "media",
  "resume-coordinator",
  "channel-dispatcher",
  "retention",
] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

export type ComposeOptions = {
  config: Config;
  /** Which services this process runs; all of them for `dev` and `serve`. */
  services: readonly ServiceName[];
  /** The one channel that this process works for; not given: all that are configured. */
  channel?: string | undefined;
  natsUrl: string;
  databaseUrl: string;
  keyrings: Readonly<Record<"ticket" | "data" | "session", Keyring>>;
  files: OperatorFiles;
  logger: Logger;
  version: string;
  pageDirectory: string;
  /** Public address when none is configured: the local origin in dev, none elsewhere. */
  publicBaseUrl: (port: number) => string | undefined;
  port: number;
};

export type Composition = { port: number; log: Log; stop(): Promise<void> };

/** One process: one connection to the log, one tail, one HTTP server, and the services it was asked to run. */
export async function compose(options: ComposeOptions): Promise<Composition> {
  const { config, logger, files, keyrings } = options;
  const metrics = createMetrics();
  const log = await openLog({
    url: options.natsUrl,
    service: options.services.length === 1 ? (options.services[0] ?? "interlude") : "interlude",
    onEvent: (event) => {
      logger.warn("log connection", event);
    },
  });
  const publicBaseUrl = options.publicBaseUrl(options.port);
  const configured = await openChannels(config.channels, {
    language: config.settings.page_language,
    publicBaseUrl,
  });
  const channels = onlyChannel(configured, options.channel);
  const works = options.services.includes("channel-dispatcher") ? [...channels.channels.keys()] : [];
  await verifyLog(log, works);
  const database = openDatabase({ url: options.databaseUrl, max: 10, applicationName: "interlude" });
  await verifySchema(database, [INBOX_MIGRATIONS, RUN_MIGRATIONS]).catch((error: unknown) => {
    tolerateAbsence(error, logger);
  });
  const tail = await openTail(log, {
    onUnreadable: (error) => {
      metrics.skippedEvents.inc({ reader: "tail" });
      logger.error("an event cannot be read", { reason: String(error) });
    },
  });
  const skew = setInterval(() => {
    metrics.clockSkew.set(log.clock.skewMs / 1_000);
  }, 5_000);
  const sessions = await openBucket(log, "sessions");
  const revocations = await openRevocations(sessions);
  const isSecure = publicBaseUrl?.startsWith("https:") ?? false;
  const cookies = isSecure ? { secure: true } : { secure: false, scope: String(options.port) };
  const cookie = sessionCookie(cookies);
  const oidc = openOidc(options, log, publicBaseUrl);
  const waiters = createWaiters(tail);
  const waitSlots = createWaitSlots(config.settings.max_waits, (taken) => {
    metrics.waiting.set(taken);
  });
  const services = await createServices(options, {
    waiters,
    waitSlots,
    log,
    tail,
    database,
    metrics,
    cookie,
    signInCookie: signInCookie(cookies),
    sessions,
    revocations,
    publicBaseUrl,
    oidc,
    channels,
    conversationKeys: works.length === 0 ? keyrings.ticket : await openConversationKeys(log, keyrings.ticket),
  });

  const system = systemDoors({
    services,
    metrics,
    openApi: openApiDocument({ version: options.version, access: files.access }),
  });
  const runs = createRunStore(log);
  const httpDeps: HttpAppDeps = {
    authenticator: createAuthenticator({
      keys: files.keys,
      denied: files.denied,
      sessionKeys: keyrings.session,
      readCookie: (header) => cookie.read(header),
      isRevoked: (sessionId) => revocations.isRevoked(sessionId),
      ...(oidc === undefined ? {} : { verifyToken: (token) => oidc.verifyToken(token) }),
      findClaim: (place, claimId) => findLiveClaim(runs, place, claimId, () => log.clock.nowMs()),
      clock: log.clock,
    }),
    access: files.access,
    logger,
    metrics,
    publicOrigin: publicBaseUrl,
    corsOrigins: config.corsOrigins,
    trustedProxies: config.trustedProxies,
  };
  const app = createHttpApp([...services.flatMap((service) => service.routes), ...system], httpDeps);
  for (const service of services) await service.start();
  const server = await startHttpServer(app, config.host, options.port);
  const metricsServer = await startMetricsServer(config, system, httpDeps);

  return {
    port: server.port,
    log,
    async stop() {
      clearInterval(skew);
      oidc?.stop();
      // Streams and waits end first, so that the server has nothing left to wait for.
      waiters.release();
      const stopped = server.stop();
      await Promise.all(services.map((service) => service.stop()));
      await stopped;
      await metricsServer?.stop();
      revocations.stop();
      await tail.close();
      await database.close();
      await log.close();
    },
  };
}

/** Everything that is said over a channel comes in by `INBOUND`; an SMS that is sent is in `CONVERSATIONS`. */
async function openConversationKeys(log: Log, ticketKeys: Keyring): Promise<Keyring> {
  return keepConversationKeys(await openBucket(log, "deployment"), ticketKeys, async () => {
    const bounds = [logBounds(log, STREAMS.inbound), logBounds(log, STREAMS.conversations)];
    return (await Promise.all(bounds)).some(({ lastSequence }) => lastSequence > 0);
  });
}

/** Metrics for everybody who can reach this port; the public one wants an operator for them. */
async function startMetricsServer(
  config: Config,
  system: readonly Route[],
  deps: HttpAppDeps,
): Promise<HttpServer | undefined> {
  if (config.metricsPort === undefined) return undefined;
  const access = new Map([...deps.access, ["GET /metrics", "public"] as const]);
  return startHttpServer(createHttpApp(system, { ...deps, access }), config.host, config.metricsPort);
}

/** Every process takes the provider's tokens; the one with the inbox's page signs people in besides. */
function openOidc({ config, services, logger }: ComposeOptions, log: Log, baseUrl: string | undefined) {
  const settings = config.oidc;
  if (settings === undefined) return undefined;
  const signsIn = settings.client !== undefined && services.includes("answer-gateway");
  if (signsIn && baseUrl === undefined) {
    const message =
      "INTERACTIONS_PUBLIC_BASE_URL is needed beside INTERLUDE_OIDC_CLIENT_ID: the provider sends people back there";
    throw new ServiceFailure("configuration_invalid", { retry: "never", message });
  }
  return createOidc({
    settings,
    redirectUri: signsIn ? `${baseUrl ?? ""}/api/session/oidc/callback` : undefined,
    clock: log.clock,
    onFailure: (reason) => {
      logger.warn("the identity provider cannot be asked; what it said last stays in force", { reason });
    },
  });
}

type Parts = {
  waiters: Waiters;
  waitSlots: WaitSlots;
  log: Log;
  tail: Tail;
  database: Database;
  metrics: Metrics;
  cookie: ReturnType<typeof sessionCookie>;
  sessions: Awaited<ReturnType<typeof openBucket>>;
  revocations: Awaited<ReturnType<typeof openRevocations>>;
  publicBaseUrl: string | undefined;
  signInCookie: ReturnType<typeof signInCookie>;
  oidc: Oidc | undefined;
  channels: Channels;
  conversationKeys: Keyring;
};

async function createServices(options: ComposeOptions, parts: Parts): Promise<Service[]> {
  const { config, files, keyrings, logger } = options;
  const { log, tail, database, metrics, publicBaseUrl, waiters, waitSlots } = parts;
  const answerKeys = createAnswerKeys(await openBucket(log, "answerKeys"), keyrings.data);
  const deliveries = await openBucket(log, "deliveries");
  const claimsByKey = await openBucket(log, "claimKeys");
  const links = { baseUrl: publicBaseUrl, keyring: keyrings.ticket };
  const { settings } = config;
  const factories: Record<ServiceName, () => Service> = {
    asker: () =>
      createAsker({
        log,
        tail,
        waiters,
        waitSlots,
        answerKeys,
        links,
        settings,
        logger,
        hasSecret: files.hasSecret,
        channels: parts.channels.channels,
        misconfigured: parts.channels.misconfigured,
        findQueued: (channel, address) =>
          findQueuedAsks(database, { channel, address }, log.clock.nowMs()).catch(() => undefined),
        countOpen: (subject, mode) => countOpenAsks(database, subject, mode).catch(() => undefined),
      }),
    "answer-gateway": () =>
      createAnswerGateway({
        log,
        tail,
        waiters,
        waitSlots,
        database,
        answerKeys,
        links,
        deliveries,
        secret: files.secret,
        sessions: parts.sessions,
        sessionKeys: keyrings.session,
        cookie: parts.cookie,
        revocations: parts.revocations,
        signIn: parts.oidc?.signIn,
        signInCookie: parts.signInCookie,
        keys: files.keys,
        denied: files.denied,
        publicOrigin: publicBaseUrl,
        settings,
        logger,
        metrics,
        pageDirectory: options.pageDirectory,
      }),
    "inbox-projector": () => projectorService({ log, database, logger, metrics }),
    "expiry-scheduler": () => createExpiryScheduler({ log, logger, metrics }),
    media: () => createMedia({ log, logger }),
    "channel-dispatcher": () =>
      createChannelDispatcher({
        log,
        ...parts.channels,
        conversationKeys: parts.conversationKeys,
        routes: files.routes,
        links,
        answerKeys,
        settings,
        logger,
        metrics,
      }),
    retention: () => createRetention({ log, database, answerKeys, settings, logger, metrics }),
    "resume-coordinator": () =>
      createResumeCoordinator({
        log,
        database,
        answerKeys,
        claimKeys: keyrings.session,
        turnKeys: conversationKeysOf(() => openBucket(log, "deployment"), keyrings.ticket),
        claimsByKey,
        waitSlots,
        settings,
        secret: files.secret,
        hasSecret: files.hasSecret,
        denied: files.denied,
        continuationUrls: config.continuationUrls,
        logger,
        metrics,
      }),
  };
  return options.services.map((name) => factories[name]());
}

/** @throws ServiceFailure where the one channel that is wanted is not configured. */
function onlyChannel({ channels, misconfigured }: Channels, name: string | undefined): Channels {
  if (name === undefined) return { channels, misconfigured };
  const channel = channels.get(name);
  if (channel !== undefined) return { channels: new Map([[name, channel]]), misconfigured: new Map() };
  const message = `channel ${JSON.stringify(name)} is not configured: ${misconfigured.get(name) ?? "no variable of it is set"}`;
  throw new ServiceFailure("configuration_invalid", { retry: "never", message });
}

/** With Postgres away, questions are still asked, answered, expired and woken: the process starts without it. */
function tolerateAbsence(error: unknown, logger: Logger): void {
  if (error instanceof ServiceFailure && error.code === "database_unavailable") {
    logger.warn("Postgres is away; lists wait until it is back", { reason: error.message });
    return;
  }
  throw error;
}

function projectorService(deps: Parameters<typeof createInboxProjector>[0]): Service {
  const projector = createInboxProjector(deps);
  return {
    name: "inbox-projector",
    routes: [],
    start: () => projector.start(),
    stop: () => projector.stop(),
    health: () => ({ status: projector.status().state === "failing" ? "degraded" : "ok" }),
  };
}
