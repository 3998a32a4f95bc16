import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Interlude } from "./start-interlude.ts";

const BIN = fileURLToPath(new URL("../../clients/cli/bin/interlude.mjs", import.meta.url));

export type Ended = { code: number | null; out: string; err: string };
export type Running = { child: ChildProcess; end: Promise<Ended>; out: () => string };
export type CliOptions = { key?: string; input?: string };

/** Starts the command line in a process of its own; without a key as an asker. */
export function startCli(
  { url, keys, folder }: Pick<Interlude, "url" | "keys"> & { folder: string },
  args: string[],
  { key = keys.asker, input = "" }: CliOptions = {},
): Running {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], INTERLUDE_URL: url, INTERLUDE_API_KEY: key },
    stdio: "pipe",
  });
  const texts = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
  child.stdin.end(input);
  const end = once(child, "close").then(() => ({ code: child.exitCode, ...texts }));
  return { child, end, out: () => texts.out };
}
