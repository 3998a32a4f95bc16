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
  return startScript("infra/compose/src/main.ts", environment, args);
}

/** A test that is broken off leaves nothing behind. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** `script` is a file of the repository. */
export function startScript(
  script: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Child {
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args], {
    cwd: ROOT,
    env: { ...inherited(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
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
  running.delete(child);
  return child.exitCode;
}

/** What a process needs of ours; none of our own settings. */
function inherited(): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR = "" } = process.env;
  return { PATH, HOME, ...(TMPDIR === "" ? {} : { TMPDIR }) };
}
