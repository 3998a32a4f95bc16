import { type Log, openLog, provisionLog } from "@interlude/event-log";
import {
  accessTable,
  createHttpApp,
  createMetrics,
  type Credential,
  type HttpServer,
  recordingLogger,
  startHttpServer,
} from "@interlude/service-kit";
import { type OwnServer, startOwnNats } from "@interlude/testing";
import { createMedia, type MediaDeps } from "../src/index.ts";

export type MediaServer = {
  nats: OwnServer;
  log: Log;
  url: string;
  port: number;
  logged: ReturnType<typeof recordingLogger>["lines"];
  stop(): Promise<void>;
};

const CREDENTIALS: Readonly<Record<string, Credential["roles"]>> = {
  "Bearer asker": ["asker"],
  "Bearer answerer": ["answerer"],
};

function credentialOf(authorization: string | undefined): Credential | undefined {
  const roles = CREDENTIALS[authorization ?? ""];
  return roles && { subject: "flow", roles, groups: [], kind: "key", isValid: () => true };
}

/** The service on a port of its own, over a nats-server of its own. */
export async function startMediaServer(options: Partial<MediaDeps> = {}): Promise<MediaServer> {
  const nats = await startOwnNats();
  const admin = await openLog({ url: nats.url, service: "provision" });
  await provisionLog(admin, { defaultMaxBytes: 64 * 1_024 * 1_024, replicas: 1 });
  await admin.close();
  const log = await openLog({ url: nats.url, service: "media" });
  const logger = recordingLogger();
  const media = createMedia({ log, logger, ...options });
  await media.start();
  const server = await serve(media.routes, logger);
  return {
    nats,
    log,
    url: `http://127.0.0.1:${server.port}/api/interactions/media`,
    port: server.port,
    logged: logger.lines,
    async stop() {
      await server.stop();
      await media.stop();
      await log.close();
      await nats.stop();
    },
  };
}

function serve(
  routes: ReturnType<typeof createMedia>["routes"],
  logger: ReturnType<typeof recordingLogger>,
): Promise<HttpServer> {
  const access = accessTable();
  if (!access.ok) throw new Error("the default table is valid");
  const app = createHttpApp(routes, {
    authenticator: { authenticate: ({ authorization }) => Promise.resolve(credentialOf(authorization)) },
    access: access.table,
    logger,
    metrics: createMetrics(),
    publicOrigin: undefined,
    corsOrigins: [],
    trustedProxies: [],
  });
  return startHttpServer(app, "127.0.0.1", 0);
}
