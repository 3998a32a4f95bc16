import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Command } from "commander";
import { usage } from "../exit-code.ts";

const COMPOSITION = fileURLToPath(new URL("../../../../infra/compose/src/main.ts", import.meta.url));
/** Installs what is missing and builds the inbox before it goes on as the composition. */
const LAUNCHER = fileURLToPath(new URL("../../../../infra/bootstrap.mjs", import.meta.url));

const COMMANDS = [
  { name: "dev", entry: LAUNCHER, description: "run everything on this machine, as `npm run dev` does" },
  {
    name: "serve",
    entry: COMPOSITION,
    description: "run all services of one production host, with given servers",
  },
  {
    name: "provision",
    entry: COMPOSITION,
    description:
      "create and check streams, buckets and the database schema; --rearm sets open deadlines again",
  },
  {
    name: "rebuild",
    entry: COMPOSITION,
    description: "drop the inbox's rows; a running projector makes them again from the log",
  },
] as const;

/**
 * Becomes the server instead of starting it: one process, which gets every signal itself, once, and leaves nothing
 * behind when it is killed.
 */
async function become(entry: string, name: string, args: readonly string[]): Promise<void> {
  if (!existsSync(entry))
    throw usage(`\`interlude ${name}\` runs from a checkout of Interlude, and this is none`);
  process.argv = [process.execPath, entry, name, ...args];
  await import(pathToFileURL(entry).href);
}

export function addHost(program: Command): void {
  for (const { name, entry, description } of COMMANDS) {
    program
      .command(name)
      .description(description)
      .argument("[arguments...]")
      .allowUnknownOption()
      .action(async (args: string[]) => {
        await become(entry, name, args);
      });
  }
}
