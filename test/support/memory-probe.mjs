/** Loaded before a process (with `--expose-gc`): on SIGUSR2 it writes what it holds once nothing is left to collect. */
import { renameSync, writeFileSync } from "node:fs";

const file = process.env["MEMORY_PROBE_FILE"];

process.on("SIGUSR2", () => {
  globalThis.gc();
  // What finalizers let go of is collected by a later one.
  setTimeout(() => {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    const active = process.getActiveResourcesInfo().length;
    writeFileSync(`${file}.part`, JSON.stringify({ bytes: heapUsed + external, active }));
    renameSync(`${file}.part`, file);
  }, 50);
});
