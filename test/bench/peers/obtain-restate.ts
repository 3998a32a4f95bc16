import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Machine } from "@interlude/infra-dev";

const VERSION = "1.7.12";
const WITHIN_MS = 180_000;

/**
 * The server's executable, from our cache or put there: it is too big to be a dependency, and its licence
 * (BSL 1.1) is not ours to pass on.
 * @throws what npm says, where it cannot be had
 */
export async function obtainRestateServer({ cacheDir, platform }: Machine): Promise<string> {
  const system = `${platform.os}-${platform.arch}`;
  const folder = join(cacheDir, `restate-${VERSION}-${system}`);
  const name = `@restatedev/restate-server-${system}`;
  const program = join(folder, "node_modules", name, "bin", "restate-server");
  if (existsSync(program)) return program;
  const draft = `${folder}.part-${process.pid}`;
  mkdirSync(dirname(draft), { recursive: true });
  try {
    const install = ["install", "--prefix", draft, "--no-audit", "--no-fund", `${name}@${VERSION}`];
    await promisify(execFile)("npm", install, { timeout: WITHIN_MS });
    if (!existsSync(program)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return program;
}
