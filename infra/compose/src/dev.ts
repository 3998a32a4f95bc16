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
import { askDemoQuestion, askOverChannels, makeInboxUrl } from "./dev-client.ts";
import { channelConfig } from "./channels.ts";
import { type FakeChannels, startFakeChannels } from "./fake-channels.ts";
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
  /** The chat page of each channel that is a stand-in, by its name. */
  chats: Readonly<Record<string, string>>;
  closed: Composition["log"]["closed"];
  stop(): Promise<void>;
};

/** `fakeChannels`: the channels talk to stand-ins on this machine, whatever accounts are configured. */
export type DevOptions = Readonly<{ fakeChannels?: boolean }>;

/** Everything on one machine: embedded servers where none are given, all services and the inbox on one port. */
export async function startDev(
  given: Config,
  environment: Variables,
  say: (line: string) => void,
  options: DevOptions = {},
): Promise<Dev> {
  const kept = openHome(given.home);
  const unlock = await holdHome(given.home);
  const servers: Stoppable[] = [];
  let composition: Composition | undefined;
  try {
    const port = await choosePort(given, kept);
    const fakes = options.fakeChannels === true ? await startFakes(given, port, say, servers) : undefined;
    // Nothing of real accounts is kept: whatever is tried here reaches nobody.
    const config = fakes === undefined ? given : { ...given, channels: channelConfig(fakes.variables, []) };
    const chats = fakes?.pages ?? {};
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
        ...(fakes === undefined ? {} : { chats }),
      });
    };
    tell();
    onRestart.tell = tell;
    if (config.demo)
      await Promise.all([askDemoQuestion(url, apiKey), ...askOverChannels(url, apiKey, chats)]);
    const running = composition;
    const stop = () => stopAll(config.home, running, files, servers, unlock);
    return { url, inboxUrl, apiKey, chats, closed: running.log.closed, stop };
  } catch (error) {
    removeDevFile(given.home);
    await composition?.stop();
    await Promise.allSettled(servers.map((server) => server.stop()));
    unlock();
    throw error;
  }
}

type Stoppable = Pick<RunningServer, "stop">;

async function startFakes(
  config: Config,
  port: number,
  say: (line: string) => void,
  started: Stoppable[],
): Promise<FakeChannels> {
  const fakes = await startFakeChannels({
    publicBaseUrl: publicUrl(config, port),
    anyPorts: config.port === 0,
    say,
  });
  started.push(fakes);
  return fakes;
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
  started: Stoppable[],
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
    publicBaseUrl: (port) => publicUrl(config, port),
  });
}

function publicUrl(config: Config, port: number): string {
  return config.publicBaseUrl ?? `http://${displayHost(config.host)}:${port}`;
}

function displayHost(host: string): string {
  return host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
}

async function stopAll(
  home: string,
  composition: Composition,
  files: ReturnType<typeof openOperatorFiles>,
  servers: readonly Stoppable[],
  unlock: () => void,
): Promise<void> {
  removeDevFile(home);
  await composition.stop();
  files.stop();
  await Promise.all(servers.map((server) => server.stop()));
  unlock();
}
