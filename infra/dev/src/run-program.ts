import { spawn, type SpawnOptions } from "node:child_process";

export type Finished = { exitCode: number; stdout: string; stderr: string };

type RunOptions = Pick<SpawnOptions, "cwd" | "uid" | "gid" | "env"> & { timeoutMs?: number; input?: string };

/** Runs a program to its end. A program that cannot be started at all ends with exit code 127. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  const { timeoutMs = 30_000, input, ...rest } = options;
  return new Promise((resolve) => {
    const child = spawn(command, [...args], {
      ...rest,
      stdio: ["pipe", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", (error) => {
      resolve({ exitCode: 127, stdout, stderr: `${stderr}${error.message}` });
    });
    child.on("close", (code) => {
      resolve({ exitCode: code ?? 137, stdout, stderr });
    });
    // A program that reads nothing may close its input before we do.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input ?? "");
  });
}
