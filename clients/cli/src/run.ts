import { InterludeError } from "@interlude/sdk";
import { Command, CommanderError } from "commander";
import { addAsk } from "./commands/ask.ts";
import { addChannels } from "./commands/channels.ts";
import { addHost } from "./commands/host.ts";
import { addKeys } from "./commands/keys.ts";
import { addList, addShow } from "./commands/read.ts";
import { addNotify } from "./commands/notify.ts";
import { addRuns } from "./commands/runs.ts";
import { addStream } from "./commands/stream.ts";
import { addAnswer, addCancel } from "./commands/write.ts";
import { EXIT, exitCodeOf, Interrupted } from "./exit-code.ts";
import { safeText } from "./safe-text.ts";
import { type Surroundings, Terminal } from "./terminal.ts";

const CODES = `
Exit codes: 0 done, 1 refused, 2 wrong usage, 3 expired, 4 cancelled, 5 could not be delivered,
6 server out of reach, 130 interrupted.`;

function programOf(around: Surroundings): Command {
  const program = new Command("interlude")
    .description("Ask a person from a terminal or a script, answer, and run the servers.")
    .option("--url <address>", "where Interlude answers (INTERLUDE_URL; else the running `interlude dev`)")
    .option("--key <key>", "the API key (better: INTERLUDE_API_KEY, which other users cannot see)")
    .option("--json", "one JSON document on standard output, with the names of the HTTP API")
    .option("--retry-seconds <seconds>", "how long a server out of reach is tried again", "30")
    .addHelpText("after", CODES);
  // Subcommands copy these, so they stand before any of them is added.
  program.exitOverride().configureOutput({
    writeOut: (text) => {
      around.writeOut(text);
    },
    writeErr: (text) => {
      around.writeError(safeText(text));
    },
  });
  addAsk(program, around);
  addList(program, around);
  addShow(program, around);
  addAnswer(program, around);
  addCancel(program, around);
  addStream(program, around);
  addNotify(program, around);
  addRuns(program, around);
  addChannels(program, around);
  addKeys(program, around);
  addHost(program);
  return program;
}

/** Runs one command line (without interpreter and script) and gives its exit code. */
export async function run(args: readonly string[], around: Surroundings): Promise<number> {
  try {
    await programOf(around).parseAsync([...args], { from: "user" });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof Interrupted) return EXIT.interrupted;
    if (!(error instanceof InterludeError)) throw error;
    new Terminal(around, args.includes("--json")).fail(error);
    return exitCodeOf(error);
  }
}
