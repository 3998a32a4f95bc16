import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServiceFailure } from "@interlude/kernel";
import { generateKeyring } from "@interlude/secrets";
import { z } from "zod";

/** What a development home keeps from start to start. */
const Kept = z.object({
  dev_key: z.string(),
  ticket_keys: z.string(),
  data_keys: z.string(),
  session_keys: z.string(),
  port: z.number().optional(),
});
export type Kept = z.infer<typeof Kept>;

/** Reads or makes the home's keys; the folder can be entered by embedded servers, the file only by its owner. */
export function openHome(home: string): Kept {
  mkdirSync(home, { recursive: true, mode: 0o755 });
  const path = join(home, "keys.json");
  const text = readIfThere(path);
  if (text !== undefined) return parseKept(path, text);
  const made: Kept = {
    dev_key: `il_dev_${randomBytes(24).toString("base64url")}`,
    ticket_keys: generateKeyring(),
    data_keys: generateKeyring(),
    session_keys: generateKeyring(),
  };
  keep(home, made);
  return made;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw damaged(path, cause);
  }
}

/** Never made anew over what cannot be read: tickets and sealed answers hang on these keys. */
function parseKept(path: string, text: string): Kept {
  try {
    return Kept.parse(JSON.parse(text));
  } catch (cause) {
    throw damaged(path, cause);
  }
}

function damaged(path: string, cause: unknown): ServiceFailure {
  return new ServiceFailure("home_damaged", {
    retry: "never",
    cause,
    message: `${path} cannot be read as this home's keys: put it back as it was; or move it away for new keys, with which links sent and sensitive answers stored before no longer open`,
  });
}

export function keep(home: string, kept: Kept): void {
  writePrivate(join(home, "keys.json"), kept);
}

export type DevFile = {
  url: string;
  api_key: string;
  inbox_url: string;
  nats_url: string;
  database_url: string;
  pid: number;
  processes: { nats?: number; postgres?: number };
  version: string;
  /** The chat pages of the channels that are stand-ins. */
  chats?: Readonly<Record<string, string>>;
};

export function writeDevFile(home: string, content: DevFile): void {
  writePrivate(join(home, "dev.json"), content);
}

export function removeDevFile(home: string): void {
  rmSync(join(home, "dev.json"), { force: true });
}

/** Written beside and renamed over, so that a reader never meets half a file. */
function writePrivate(path: string, content: object): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}
