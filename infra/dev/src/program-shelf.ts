import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sha256OfFile } from "./file-hash.ts";
import { compareVersions, isAtLeast, readVersion, type Version } from "./version.ts";

/** The folders of a shelf of the cache whose version is new enough, the newest first. */
export function foldersOnShelf(shelf: string, oldest: Version): string[] {
  if (!existsSync(shelf)) return [];
  return readdirSync(shelf)
    .map((name) => ({ name, version: readVersion(name) }))
    .filter((entry) => entry.version !== undefined && isAtLeast(entry.version, oldest))
    .sort((left, right) => compareVersions(right.version ?? oldest, left.version ?? oldest))
    .map(({ name }) => join(shelf, name));
}

/** Lays a file's digest beside it. */
export async function seal(file: string): Promise<void> {
  writeFileSync(`${file}.sha256`, `${await sha256OfFile(file)}\n`);
}

/** A file that is not what was stored does not count. */
export async function isIntact(file: string): Promise<boolean> {
  try {
    return readFileSync(`${file}.sha256`, "utf8").trim() === (await sha256OfFile(file));
  } catch {
    return false;
  }
}

/** A folder to make things in, beside where they will stand; gone with all that is left in it. */
export async function withWorkshop<T>(shelf: string, work: (workshop: string) => Promise<T>): Promise<T> {
  mkdirSync(shelf, { recursive: true });
  for (const leftover of readdirSync(shelf).filter((name) => name.startsWith("part-"))) {
    rmSync(join(shelf, leftover), { recursive: true, force: true });
  }
  const workshop = mkdtempSync(join(shelf, "part-"));
  try {
    return await work(workshop);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}
