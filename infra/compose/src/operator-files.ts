import {
  type Access,
  accessTable,
  type AccessTable,
  keyRegistry,
  type KeyRegistry,
  type Logger,
  parseApiKeys,
  sha256Hex,
} from "@interlude/service-kit";
import { parseRoutes, type Routes } from "@interlude/channel-dispatcher";
import { ROLES } from "@interlude/domain";
import { ServiceFailure } from "@interlude/kernel";
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Config } from "./config.ts";
import { type Read, type Watched, watchedFile } from "./watched-file.ts";

/** What operators keep in files beside the environment. */
export type OperatorFiles = {
  keys: () => KeyRegistry;
  denied: () => ReadonlySet<string>;
  hasSecret: (name: string) => boolean;
  secret: (name: string) => string | undefined;
  access: AccessTable;
  /** Which drivers answer what is said over channels. */
  routes: Routes;
  stop(): void;
};

const DenyFile = z.array(z.string());
const SecretsFile = z.record(z.string(), z.string());
const DoorsFile = z.record(
  z.string(),
  z.union([z.enum(["public", "closed"]), z.array(z.enum(ROLES)).min(1)]),
);

/** @param devKey an all-roles key that stands beside the file's */
export function openOperatorFiles(config: Config, devKey: string | undefined, logger: Logger): OperatorFiles {
  const tell = (reason: string) => {
    logger.error("a configuration file has become invalid; its last good content stays in force", { reason });
  };
  const { apiKeys, deny, secrets } = config.files;
  const keyFile = optional(apiKeys, (path) => watchedFile(path, parseKeys, tell));
  const denyFile = optional(deny, (path) => watchedFile(path, (text) => parsed(DenyFile, text), tell));
  const secretsFile = optional(secrets, (path) =>
    watchedFile(path, (text) => parsed(SecretsFile, text), tell),
  );
  const dev = devKey === undefined ? undefined : devRegistry(devKey);

  return {
    keys: () => merged(keyFile?.current(), dev),
    denied: memoized(
      () => denyFile?.current(),
      (list) => new Set(list ?? []),
    ),
    hasSecret: (name) => Object.hasOwn(secretsFile?.current() ?? {}, name),
    secret: (name) => {
      const all = secretsFile?.current() ?? {};
      return Object.hasOwn(all, name) ? all[name] : undefined;
    },
    access: readAccess(config.files.doors),
    routes: readRoutes(config.files.routes),
    stop() {
      for (const file of [keyFile, denyFile, secretsFile]) file?.stop();
    },
  };
}

function optional<T>(path: string | undefined, open: (path: string) => Watched<T>): Watched<T> | undefined {
  return path === undefined ? undefined : open(path);
}

function memoized<I, O>(input: () => I, compute: (input: I) => O): () => O {
  let last: { input: I; output: O } | undefined;
  return () => {
    const now = input();
    if (last === undefined || last.input !== now) last = { input: now, output: compute(now) };
    return last.output;
  };
}

function devRegistry(devKey: string): KeyRegistry {
  return keyRegistry([{ id: "dev", sha256: sha256Hex(devKey), subject: "dev", roles: [...ROLES] }]);
}

const NO_KEYS: KeyRegistry = new Map();

function merged(file: KeyRegistry | undefined, dev: KeyRegistry | undefined): KeyRegistry {
  if (file === undefined || dev === undefined) return file ?? dev ?? NO_KEYS;
  return new Map([...file, ...dev]);
}

function parseKeys(text: string): { ok: true; value: KeyRegistry } | { ok: false; reason: string } {
  const keys = parseApiKeys(text);
  return keys.ok ? { ok: true, value: keyRegistry(keys.keys) } : keys;
}

function parsed<T>(schema: z.ZodType<T>, text: string): Read<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The engine's own message quotes the text, which may be a secret.
    return { ok: false, reason: "is not JSON" };
  }
  const result = schema.safeParse(value);
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, reason: z.prettifyError(result.error) };
}

function readAccess(path: string | undefined): AccessTable {
  const overrides = new Map<string, Access>();
  if (path !== undefined) {
    const doors = parsed(DoorsFile, contentOf("INTERLUDE_DOORS_FILE", path));
    if (!doors.ok) throw invalid("INTERLUDE_DOORS_FILE", path, doors.reason);
    for (const [name, access] of Object.entries(doors.value)) overrides.set(name, access);
  }
  const result = accessTable(overrides);
  if (!result.ok) throw invalid("INTERLUDE_DOORS_FILE", path ?? "", result.faults.join("; "));
  return result.table;
}

function readRoutes(path: string | undefined): Routes {
  const value = path === undefined ? undefined : parsed(z.json(), contentOf("INTERLUDE_ROUTES_FILE", path));
  if (value?.ok === false) throw invalid("INTERLUDE_ROUTES_FILE", path ?? "", value.reason);
  const result = parseRoutes(value?.value ?? []);
  if (result.ok) return result.routes;
  throw invalid("INTERLUDE_ROUTES_FILE", path ?? "", result.faults.join("; "));
}

function contentOf(variable: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw invalid(variable, path, error instanceof Error ? error.message : String(error));
  }
}

function invalid(variable: string, path: string, reason: string): ServiceFailure {
  return new ServiceFailure("configuration_invalid", {
    retry: "never",
    message: `${variable} ${path}: ${reason}`,
  });
}
