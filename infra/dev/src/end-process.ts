import { identify, isAlive, type ProcessIdentity } from "./process-identity.ts";
import { waitUntil } from "./wait-until.ts";

/** Ends a process: politely first, then for good. Returns when it is gone. */
export async function endProcess(
  process: ProcessIdentity,
  signal: NodeJS.Signals,
  patienceMs: number,
): Promise<void> {
  send(process, signal);
  if (await waitUntil(() => !isAlive(process), { withinMs: patienceMs })) return;
  send(process, "SIGKILL");
  await waitUntil(() => !isAlive(process), { withinMs: 10_000 });
}

/** The same by process id alone, for a process that was recognised by its command line. */
export async function endPid(pid: number, signal: NodeJS.Signals, patienceMs: number): Promise<void> {
  const identity = identify(pid);
  if (identity !== undefined) await endProcess(identity, signal, patienceMs);
}

function send(target: ProcessIdentity, signal: NodeJS.Signals): void {
  try {
    if (isAlive(target)) process.kill(target.pid, signal);
  } catch {
    // It ended in this moment.
  }
}
