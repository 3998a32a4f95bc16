import { spawn } from "node:child_process";

/**
 * Ends a server when this process ends in whatever way: the guard's input is a pipe that the system
 * closes then. Returned is the way to call the guard off.
 */
export function guardAgainstOrphan(pid: number, signal: NodeJS.Signals): () => void {
  // A server that a test has frozen must wake to receive the signal.
  const script = 'read -r line; [ "$line" = done ] || { kill -s "$2" "$1"; kill -s CONT "$1"; }';
  const guard = spawn("/bin/sh", ["-c", script, "sh", String(pid), signal.replace("SIG", "")], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  guard.unref();
  return () => {
    guard.stdin.end("done\n");
  };
}
