import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { eventually } from "@interlude/testing";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A process of the product, as an operator starts it. */
export type Child = {
  pid: number;
  output: () => string;
  exitCode: () => number | null;
  exited: Promise<number | null>;
  /** Waits until the output holds this. */
  says: (pattern: RegExp, withinMs?: number) => Promise<RegExpExecArray>;
  kill: () => Promise<void>;
  /** As Ctrl-C would; the exit code. */
  interrupt: () => Promise<number | null>;
};

export function startChild(args: readonly string[], environment: Readonly<Record<string, string>>): Child {
  const child = spawn(process.execPath, ["--import", "tsx", "infra/compose/src/main.ts", ...args], {
    cwd: ROOT,
    env: { ...inherited(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part: string) => parts.push(part));
  }
  const output = () => parts.join("");
  const exited = exitOf(child);
  return {
    pid: child.pid ?? 0,
    output,
    exitCode: () => child.exitCode,
    exited,
    async says(pattern, withinMs = 30_000) {
      await eventually(() => pattern.test(output()) || child.exitCode !== null, { withinMs });
      const found = pattern.exec(output());
      if (found === null) throw new Error(`it ended or never said ${String(pattern)}:\n${output()}`);
      return found;
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async interrupt() {
      child.kill("SIGINT");
      return exited;
    },
  };
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  await once(child, "exit");
  return child.exitCode;
}

/** What a process needs of ours; none of our own settings. */
function inherited(): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR = "" } = process.env;
  return { PATH, HOME, ...(TMPDIR === "" ? {} : { TMPDIR }) };
}
