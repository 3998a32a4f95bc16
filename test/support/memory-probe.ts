import { existsSync, readFileSync, rmSync } from "node:fs";
import { eventually } from "@interlude/testing";
import { z } from "zod";

const Held = z.object({
  /** Of JavaScript's heap and of what it keeps outside, after a collection. */
  bytes: z.number(),
  /** Timers, sockets and the like. */
  active: z.number(),
});
export type Held = z.infer<typeof Held>;

const PROBE = new URL("./memory-probe.mjs", import.meta.url).href;

/** Environment of a process that can be asked by `heldBy` what it holds. */
export function memoryProbe(file: string): Record<string, string> {
  return { MEMORY_PROBE_FILE: file, NODE_OPTIONS: `--expose-gc --import ${PROBE}` };
}

export async function heldBy(pid: number, file: string): Promise<Held> {
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  await eventually(() => existsSync(file), { withinMs: 30_000, everyMs: 10 });
  return Held.parse(JSON.parse(readFileSync(file, "utf8")));
}
