import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { ServiceFailure } from "@interlude/kernel";
import { identify, isAlive, type ProcessIdentity } from "./process-identity.ts";
import { silent, type Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

type LockOptions = { withinMs: number; report?: Report; holding: string };

/** Lets one process at a time do `work`; the lock of a process that died does not count. */
export async function withFileLock<T>(
  path: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const release = await acquireFileLock(path, options);
  try {
    return await work();
  } finally {
    release();
  }
}

/** Waits for the lock, then holds it until the returned function is called or this process ends. */
export async function acquireFileLock(path: string, options: LockOptions): Promise<() => void> {
  mkdirSync(dirname(path), { recursive: true });
  const token = randomUUID();
  let told = false;
  const got = await waitUntil(
    () => {
      if (tryLock(path, token)) return true;
      if (!told) (options.report ?? silent)(`waiting for another process: ${options.holding}`);
      told = true;
      return false;
    },
    { withinMs: options.withinMs, everyMs: 50 },
  );
  if (got)
    return () => {
      unlock(path, token);
    };
  throw new ServiceFailure("server_failed", {
    retry: "later",
    context: { lock: path },
    message: `another process holds ${path} (${options.holding}); wait for it, or end it, and start again`,
  });
}

type LockContent = ProcessIdentity & { token: string };

function tryLock(path: string, token: string): boolean {
  const me = identify(process.pid) ?? { pid: process.pid, startedAt: "" };
  const draft = `${path}.${token}`;
  writeFileSync(draft, JSON.stringify({ ...me, token } satisfies LockContent));
  try {
    // A link appears with its content, so nobody ever reads a lock that is half written.
    linkSync(draft, path);
    return true;
  } catch {
    const holder = readLock(path);
    if (holder !== undefined && !isAlive(holder)) removeStale(path, holder.token);
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Two processes may find the same stale lock: only the file that was judged may be thrown away. */
function removeStale(path: string, token: string): void {
  const aside = `${path}.stale-${randomUUID()}`;
  try {
    renameSync(path, aside);
    if (readLock(aside)?.token !== token) linkSync(aside, path);
  } catch {
    // Somebody else was faster; the next try finds out.
  } finally {
    rmSync(aside, { force: true });
  }
}

function unlock(path: string, token: string): void {
  if (readLock(path)?.token === token) rmSync(path, { force: true });
}

/** A lock that cannot be read has no living holder: it appears with its content or not at all. */
function readLock(path: string): LockContent | undefined {
  const unreadable = { pid: 0, startedAt: "unreadable", token: "" };
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  try {
    const content: unknown = JSON.parse(text);
    return isLockContent(content) ? content : unreadable;
  } catch {
    return unreadable;
  }
}

function isLockContent(value: unknown): value is LockContent {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    typeof value.pid === "number" &&
    "startedAt" in value &&
    typeof value.startedAt === "string" &&
    "token" in value &&
    typeof value.token === "string"
  );
}
