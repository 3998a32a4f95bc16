import { join } from "node:path";
import {
  acquireFileLock,
  describeMachine,
  freePort,
  isPortFree,
  type Machine,
  type RunningServer,
  startNats,
  startPostgres,
} from "@interlude/infra-dev";
import { ServiceFailure } from "@interlude/kernel";
import { createLogger, type Logger } from "@interlude/service-kit";
import { compose, type Composition, SERVICE_NAMES } from "./compose.ts";
import type { Config, Variables } from "./config.ts";
import { askDemoQuestion, makeInboxUrl } from "./dev-client.ts";
import { keep, type Kept, openHome, removeDevFile, writeDevFile } from "./home.ts";
import { readKeyrings } from "./keyrings.ts";
import { openOperatorFiles } from "./operator-files.ts";
import { pageDirectory } from "./page-directory.ts";
import { provision } from "./provision.ts";
import { provisionOptions } from "./provision-options.ts";
import { productVersion } from "./version.ts";

export type Dev = {
  url: string;
  inboxUrl: string;
  apiKey: string;
  closed: Composition["log"]["closed"];
  stop(): Promise<void>;
};

/** Everything on one machine: embedded servers where none are given, all services and the inbox on one port. */
export async function startDev(
  config: Config,
  environment: Variables,
  say: (line: string) => void,
): Promise<Dev> {
  const kept = openHome(config.home);
  const unlock = await holdHome(config.home);
  const servers: RunningServer[] = [];
  let composition: Composition | undefined;
  try {
    const port = await choosePort(config, kept);
    const { nats, postgres, onRestart } = await startServers(
      config,
      describeMachine(environment),
      say,
      servers,
    );
    await provision(await provisionOptions(config, { natsUrl: nats.url, databaseUrl: postgres.url }));
    const apiKey = config.devKey ?? kept.dev_key;
    const logger = createLogger({
      service: "dev",
      level: config.logLevel === "info" ? "warn" : config.logLevel,
    });
    const files = openOperatorFiles(config, apiKey, logger);
    composition = await composeDev(config, kept, {
      natsUrl: nats.url,
      databaseUrl: postgres.url,
      files,
      logger,
      port,
    });
    const url = `http://${displayHost(config.host)}:${composition.port}`;
    const inboxUrl = await makeInboxUrl(url, apiKey);
    const tell = () => {
      writeDevFile(config.home, {
        url,
        api_key: apiKey,
        inbox_url: inboxUrl,
        nats_url: nats.url,
        database_url: postgres.url,
        pid: process.pid,
        processes: {
          ...(nats.pid === undefined ? {} : { nats: nats.pid }),
          ...(postgres.pid === undefined ? {} : { postgres: postgres.pid }),
        },
        version: productVersion(),
      });
    };
    tell();
    onRestart.tell = tell;
    if (config.demo) await askDemoQuestion(url, apiKey);
    const running = composition;
    const stop = () => stopAll(config.home, running, files, servers, unlock);
    return { url, inboxUrl, apiKey, closed: running.log.closed, stop };
  } catch (error) {
    removeDevFile(config.home);
    await composition?.stop();
    await Promise.allSettled(servers.map((server) => server.stop()));
    unlock();
    throw error;
  }
}

/** One `dev` a home: a second one would take the first one's servers from under it. */
function holdHome(home: string): Promise<() => void> {
  return acquireFileLock(join(home, "dev.lock"), { withinMs: 3_000, holding: "this home" }).catch(
    (cause: unknown) => {
      throw new ServiceFailure("home_damaged", {
        retry: "never",
        cause,
        message: `another \`npm run dev\` is running in ${home}: stop it, or set INTERLUDE_HOME to another folder`,
      });
    },
  );
}

async function choosePort(config: Config, kept: Kept): Promise<number> {
  if (config.port !== 0) {
    if (await isPortFree(config.port)) return config.port;
    const message = `port ${config.port} is taken: stop what listens there, or set PORT to another one (PORT=0 picks a free one)`;
    throw new ServiceFailure("port_taken", { retry: "never", message });
  }
  const remembered = kept.port !== undefined && (await isPortFree(kept.port)) ? kept.port : await freePort();
  if (remembered !== kept.port) keep(config.home, { ...kept, port: remembered });
  return remembered;
}

async function startServers(
  config: Config,
  machine: Machine,
  say: (line: string) => void,
  started: RunningServer[],
) {
  const onRestart: { tell: () => void } = { tell: () => undefined };
  const common = {
    home: config.home,
    machine,
    report: say,
    onRestart: () => {
      onRestart.tell();
    },
  };
  const begin = async (starting: Promise<RunningServer>) => {
    const server = await starting;
    started.push(server);
    return server;
  };
  const given = (url: string | undefined) => (url === undefined ? {} : { givenUrl: url });
  const results = await Promise.allSettled([
    begin(startNats({ ...common, ...given(config.natsUrl) })),
    begin(startPostgres({ ...common, ...given(config.databaseUrl) })),
  ]);
  const [nats, postgres] = results;
  if (nats.status === "rejected") throw nats.reason;
  if (postgres.status === "rejected") throw postgres.reason;
  return { nats: nats.value, postgres: postgres.value, onRestart };
}

type DevParts = {
  natsUrl: string;
  databaseUrl: string;
  files: ReturnType<typeof openOperatorFiles>;
  logger: Logger;
  port: number;
};

function composeDev(config: Config, kept: Kept, parts: DevParts): Promise<Composition> {
  const generated = { ticket: kept.ticket_keys, data: kept.data_keys, session: kept.session_keys };
  return compose({
    ...parts,
    config,
    services: SERVICE_NAMES,
    keyrings: readKeyrings(config, generated),
    version: productVersion(),
    pageDirectory: pageDirectory(),
    publicBaseUrl: (port) => config.publicBaseUrl ?? `http://${displayHost(config.host)}:${port}`,
  });
}

function displayHost(host: string): string {
  return host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
}

async function stopAll(
  home: string,
  composition: Composition,
  files: ReturnType<typeof openOperatorFiles>,
  servers: readonly RunningServer[],
  unlock: () => void,
): Promise<void> {
  removeDevFile(home);
  await composition.stop();
  files.stop();
  await Promise.all(servers.map((server) => server.stop()));
  unlock();
}
