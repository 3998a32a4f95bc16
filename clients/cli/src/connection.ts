import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Client, connect } from "@interlude/sdk";
import { z } from "zod";
import { usage } from "./exit-code.ts";
import type { Surroundings, Terminal } from "./terminal.ts";

const DevFile = z.object({ url: z.string(), api_key: z.string() });

export type ConnectionFlags = { url?: string; key?: string; retrySeconds?: number };

/** `$INTERLUDE_HOME`, else the nearest `.interlude` from the current folder upwards. */
export function devFilePath(around: Pick<Surroundings, "env" | "cwd">): string | undefined {
  const home = around.env["INTERLUDE_HOME"];
  if (home !== undefined && home !== "") return join(resolve(around.cwd, home), "dev.json");
  for (let folder = resolve(around.cwd); ; folder = dirname(folder)) {
    const path = join(folder, ".interlude", "dev.json");
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}

function readDevFile(around: Pick<Surroundings, "env" | "cwd">): z.infer<typeof DevFile> | undefined {
  const path = devFilePath(around);
  if (path === undefined || !existsSync(path)) return undefined;
  try {
    return DevFile.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw usage(`${path} is not the file of a running Interlude`);
  }
}

export type Address = Readonly<{ url: string; apiKey: string }>;

/**
 * Flags win over the environment, and that over a running `interlude dev`. A development key never goes to another
 * address: an address that was named needs a key that was named.
 */
export function findAddress(flags: ConnectionFlags, around: Pick<Surroundings, "env" | "cwd">): Address {
  const url = flags.url ?? (around.env["INTERLUDE_URL"] || undefined);
  const apiKey = flags.key ?? (around.env["INTERLUDE_API_KEY"] || undefined);
  if (url !== undefined && apiKey !== undefined) return { url, apiKey };
  const dev = readDevFile(around);
  if (dev === undefined) {
    const missing = url === undefined ? "--url (or INTERLUDE_URL)" : "--key (or INTERLUDE_API_KEY)";
    throw usage(`give ${missing}, or start \`interlude dev\`; no dev.json was found`);
  }
  if (url !== undefined && url.replace(/\/+$/, "") !== dev.url.replace(/\/+$/, "")) {
    throw usage(`give --key (or INTERLUDE_API_KEY) for ${url}`);
  }
  return { url: url ?? dev.url, apiKey: apiKey ?? dev.api_key };
}

const RETRY_SECONDS = 30;

export function openClient(flags: ConnectionFlags, around: Surroundings, terminal: Terminal): Client {
  let told = false;
  return connect({
    ...findAddress(flags, around),
    retrySeconds: flags.retrySeconds ?? RETRY_SECONDS,
    onRetry: ({ error }) => {
      if (!told) terminal.note(`${error.detail}; trying again`);
      told = true;
    },
  });
}
