import { runProgram } from "./run-program.ts";
import { readVersion, type Version } from "./version.ts";

/** Older servers do not fail: they silently ignore filtered expectations, schedules and flags. */
export const OLDEST_NATS: Version = [2, 14, 0];

export async function natsVersion(path: string): Promise<Version | undefined> {
  const shown = await runProgram(path, ["--version"], { timeoutMs: 10_000 });
  return shown.exitCode === 0 ? readVersion(shown.stdout) : undefined;
}
