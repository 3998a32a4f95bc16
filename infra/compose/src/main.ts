import { readFileSync } from "node:fs";
import { ServiceFailure } from "@interlude/kernel";
import { z } from "zod";
import { SERVICE_NAMES, type ServiceName } from "./compose.ts";
import { readConfig } from "./config.ts";
import { startDev } from "./dev.ts";
import { provision, rebuildReadModels } from "./provision.ts";
import { provisionOptions } from "./provision-options.ts";
import { rearm } from "./rearm.ts";
import { runUntilEnded, type Running } from "./run-until-ended.ts";
import { needed, startServices } from "./serve.ts";

const USAGE = `usage: dev [--fake-channels] | serve | provision [--rearm] | rebuild | service <${SERVICE_NAMES.join("|")}> [--channel <name>]`;
const STOP_WITHIN_MS = 10_000;
/** Embedded servers flush what they hold when they stop. */
const STOP_SERVERS_WITHIN_MS = 30_000;

const config = () => {
  const settingsFile = (path: string) =>
    z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path, "utf8")));
  return readConfig(process.env, settingsFile);
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Listened for from the first moment: a signal during the start stops what has been started. */
const signalled = new Promise<void>((resolve) => {
  // A terminal's Ctrl-C arrives twice under npm: once from it, once from the terminal. Repeats change nothing.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      resolve();
    });
  }
});

function run(started: Running, withinMs: number): Promise<void> {
  return runUntilEnded(started, signalled, { withinMs, cut: () => process.exit(1) });
}

async function serve(services: readonly ServiceName[], channel?: string): Promise<void> {
  const started = await startServices(config(), services, channel);
  return run({ closed: started.log.closed, stop: () => started.stop() }, STOP_WITHIN_MS);
}

async function dev(flags: readonly string[]): Promise<void> {
  if (flags.some((flag) => flag !== "--fake-channels")) throw new Error(USAGE);
  const settings = config();
  const started = await startDev(settings, process.env, say, { fakeChannels: flags.length > 0 });
  say("");
  say(`  Interlude is ready: ${started.url}`);
  say(`  Inbox (one-time sign-in link): ${started.inboxUrl}`);
  say(`  API key: ${started.apiKey}`);
  if (settings.demo) say("  A first question is waiting in the inbox.");
  tellChats(started.chats, settings.demo);
  say("  Ctrl-C stops everything.");
  await run(started, STOP_SERVERS_WITHIN_MS);
}

function tellChats(chats: Readonly<Record<string, string>>, isAsked: boolean): void {
  if (Object.keys(chats).length === 0) return;
  say("");
  say(`  Chat as the person${isAsked ? ", where a first question is waiting too" : ""}:`);
  for (const [channel, page] of Object.entries(chats)) say(`    ${channel.padEnd(9)} ${page}`);
  say("");
}

/** `--channel telegram`: what a dispatcher can be kept to. */
function channelOf(service: ServiceName, rest: readonly string[]): string | undefined {
  if (rest.length === 0) return undefined;
  const [flag, channel] = rest;
  if (service !== "channel-dispatcher" || flag !== "--channel" || channel === undefined || rest.length > 2)
    throw new Error(USAGE);
  return channel;
}

async function main(command: string | undefined, argument: string | undefined): Promise<void> {
  switch (command) {
    case "dev":
      return dev(process.argv.slice(3));
    case "serve":
      return serve(SERVICE_NAMES);
    case "service": {
      const name = SERVICE_NAMES.find((known) => known === argument);
      if (name === undefined) throw new Error(USAGE);
      return serve([name], channelOf(name, process.argv.slice(4)));
    }
    case "provision": {
      const given = config();
      const natsUrl = needed(given.natsUrl, "NATS_URL");
      const databaseUrl = needed(given.databaseUrl, "DATABASE_URL");
      await provision(await provisionOptions(given, { natsUrl, databaseUrl }));
      say("streams, consumers, buckets and schema are in place");
      if (argument === "--rearm") say(`${await rearm(natsUrl)} open deadlines are set again`);
      return;
    }
    case "rebuild":
      await rebuildReadModels(needed(config().databaseUrl, "DATABASE_URL"));
      say("the rows of inbox and runs are dropped; running services make them again from the log");
      return;
    case undefined:
    default:
      throw new Error(USAGE);
  }
}

try {
  await main(process.argv[2], process.argv[3]);
  process.exit(0);
} catch (error) {
  // What an operator can mend is told in a line; anything else is a defect and shows its stack.
  const isTold =
    error instanceof ServiceFailure || (error instanceof Error && error.message.startsWith("invalid"));
  process.stderr.write(
    `\ninterlude: ${isTold ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exit(1);
}
