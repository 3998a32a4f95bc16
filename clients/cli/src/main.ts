import { Interrupted } from "./exit-code.ts";
import { run } from "./run.ts";

let interrupting: AbortController | undefined;

/** Listened for only by commands that have something to tidy up; the first signal asks, a second one ends. */
function interruption(): AbortSignal {
  if (interrupting === undefined) {
    const controller = new AbortController();
    interrupting = controller;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        if (controller.signal.aborted) process.exit(130);
        controller.abort(new Interrupted());
      });
    }
  }
  return interrupting.signal;
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

// A reader that has seen enough (`interlude stream | head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  columns: process.stdout.columns,
  writeOut: (text) => {
    process.stdout.write(text);
  },
  writeError: (text) => {
    process.stderr.write(text);
  },
  readInput,
  interruption,
});
