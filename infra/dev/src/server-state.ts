import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identify, type ProcessIdentity } from "./process-identity.ts";

/** What the next start must know to adopt or stop the server that this one leaves behind. */
export type ServerState = ProcessIdentity & {
  port: number;
  /** The name the server was given, where it tells one: a port alone does not say whose server it is. */
  serverName: string;
};

const file = (folder: string): string => join(folder, "server.json");

export function writeServerState(
  folder: string,
  pid: number,
  rest: { port: number; serverName: string },
): void {
  const state: ServerState = { ...(identify(pid) ?? { pid, startedAt: "" }), ...rest };
  const draft = `${file(folder)}.part`;
  writeFileSync(draft, `${JSON.stringify(state)}\n`);
  renameSync(draft, file(folder));
}

export function readServerState(folder: string): ServerState | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(file(folder), "utf8"));
    return isServerState(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

export function forgetServer(folder: string): void {
  rmSync(file(folder), { force: true });
}

function isServerState(value: unknown): value is ServerState {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    typeof value.pid === "number" &&
    "startedAt" in value &&
    typeof value.startedAt === "string" &&
    "port" in value &&
    typeof value.port === "number" &&
    "serverName" in value &&
    typeof value.serverName === "string"
  );
}

export function rememberedPort(folder: string): number | undefined {
  try {
    const port = Number(readFileSync(join(folder, "port"), "utf8"));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch {
    return undefined;
  }
}

export function rememberPort(folder: string, port: number): void {
  writeFileSync(join(folder, "port"), `${port}\n`);
}
