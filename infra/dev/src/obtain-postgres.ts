import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ServiceFailure } from "@interlude/kernel";
import { adviceFor } from "./advice.ts";
import { findDocker } from "./docker-engine.ts";
import { executable, findOnPath } from "./find-on-path.ts";
import type { Machine } from "./machine.ts";
import { packagedPostgres } from "./postgres-package.ts";
import type { Program } from "./program.ts";
import type { Report } from "./report.ts";
import { demote, runLaunch, waysToDemote } from "./unprivileged.ts";
import { isAtLeast, readVersion, type Version } from "./version.ts";

const OLDEST_POSTGRES: Version = [15, 0, 0];

type PostgresOptions = {
  /** Data is readable by the major version that made it and no other. */
  major?: number | undefined;
};

/** Finds `postgres` and `initdb`: PATH, the npm package, Docker; else says what to install. */
export async function obtainPostgresBinaries(
  machine: Machine,
  report: Report,
  options: PostgresOptions = {},
): Promise<Program> {
  const folders = [
    ...findOnPath(machine.searchPath, "postgres").map((path) => ({ folder: dirname(path), origin: path })),
    ...(await packagedPostgres(machine, report)),
  ];
  for (const { folder, origin } of folders) {
    const version = await usableVersion(folder, machine);
    if (version !== undefined && isAtLeast(version, OLDEST_POSTGRES) && fits(version, options)) {
      return { kind: "folder", folder, version, origin };
    }
    report(
      `postgres: ${origin} ${version === undefined ? "does not work here" : `is ${version.join(".")}`}, looking further`,
    );
  }

  const docker = await findDocker(machine);
  if (docker !== undefined) {
    const major = options.major ?? 18;
    return {
      kind: "image",
      docker,
      image: `postgres:${major}`,
      version: [major, 0, 0],
      origin: "Docker image",
    };
  }
  const wanted =
    options.major === undefined
      ? ""
      : ` The data was made by Postgres ${options.major}, and only that version reads it.`;
  throw new ServiceFailure("server_unobtainable", {
    retry: "never",
    message: `${adviceFor("postgres", machine.platform)}${wanted}`,
  });
}

function fits(version: Version, options: PostgresOptions): boolean {
  return options.major === undefined || version[0] === options.major;
}

/**
 * A lone executable says its version and then finds none of its files, so initdb is asked where
 * they are: it answers only when the server beside it is of its own version.
 */
async function usableVersion(folder: string, machine: Machine): Promise<Version | undefined> {
  const initdb = executable(join(folder, "initdb"));
  if (initdb === undefined) return undefined;
  for (const way of waysToDemote(machine.platform.isRoot, machine.searchPath)) {
    const launch = demote(
      { command: initdb, args: ["--show", "-U", "postgres", "-D", "/nonexistent"], cwd: "/" },
      way,
    );
    const shown = await runLaunch(launch, 10_000);
    const text = `${shown.stdout}\n${shown.stderr}`;
    const share = /^share_path=(.+)$/m.exec(text)?.[1];
    const version = /^VERSION=(\S+)/m.exec(text)?.[1];
    if (share !== undefined && version !== undefined && existsSync(join(share, "postgres.bki")))
      return readVersion(version);
  }
  return undefined;
}
