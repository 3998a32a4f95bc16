import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isPortFree } from "@interlude/infra-dev";
import { ServiceFailure } from "@interlude/kernel";
import { z } from "zod";
import type { Variables } from "./config.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const COMMAND = "test/fakes/src/main.ts";
/** One each, so that a chat page that was left open is there again after the next start. */
const PORTS = [7301, 7302, 7303, 7304];
const READY_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 5_000;

const Started = z.object({
  pages: z.record(z.string(), z.url()),
  environment: z.record(z.string(), z.string()),
});

/** Stand-ins of the channels' providers, in a process of their own. */
export type FakeChannels = Readonly<{
  /** A chat page by the channel's name. */
  pages: Readonly<Record<string, string>>;
  /** What the channels are configured by to talk to them. */
  variables: Variables;
  stop: () => Promise<void>;
}>;

export type FakeChannelsOptions = Readonly<{
  /** Where they deliver. */
  publicBaseUrl: string;
  /** Whether any ports will do. */
  anyPorts: boolean;
  say: (line: string) => void;
}>;

export async function startFakeChannels(options: FakeChannelsOptions): Promise<FakeChannels> {
  if (!existsSync(`${ROOT}${COMMAND}`)) throw failed(`${COMMAND} is missing from this installation`);
  const ports = await Promise.all(
    PORTS.map(async (port) => (!options.anyPorts && (await isPortFree(port)) ? port : 0)),
  );
  const args = ["--import", "tsx", COMMAND, options.publicBaseUrl, "--json", "--ports", ports.join()];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["pipe", "pipe", "inherit"] });
  let isStopping = false;
  const stop = async (): Promise<void> => {
    isStopping = true;
    await end(child);
  };
  try {
    const { pages, environment } = Started.parse(JSON.parse(await firstLine(child)));
    child.once("exit", () => {
      if (!isStopping) options.say("The stand-ins of the channels have ended; start again to chat.");
    });
    return { pages, variables: environment, stop };
  } catch (cause) {
    await stop();
    throw failed("the stand-ins of the channels did not start", cause);
  }
}

function failed(message: string, cause?: unknown): ServiceFailure {
  return new ServiceFailure("server_failed", { retry: "never", message, cause });
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) return "";
  const lines = createInterface({ input: stdout });
  const given = await Promise.race([
    once(lines, "line", { signal: AbortSignal.timeout(READY_WITHIN_MS) }),
    once(lines, "close"),
  ]);
  return String(given[0] ?? "");
}

/** It ends when its input does. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.stdin?.end();
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await exited;
  clearTimeout(late);
}
