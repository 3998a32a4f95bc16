import type { RunAddress } from "../api/runs.ts";

const RUN = /^\/runs\/([^/]+)\/([^/]+)\/?$/;

export function runHref({ driver, runId, parkId }: RunAddress): string {
  const path = `/runs/${encodeURIComponent(driver)}/${encodeURIComponent(runId)}`;
  return parkId === undefined ? path : `${path}?${new URLSearchParams({ park: parkId })}`;
}

/**
 * The run of a path as the browser has it, undecoded: a run's id may hold anything, slashes and percent signs
 * too. `undefined` for every other page.
 */
export function readRunAddress(pathname: string, search: string): RunAddress | undefined {
  const [, driver, runId] = RUN.exec(pathname) ?? [];
  if (driver === undefined || runId === undefined) return undefined;
  const parkId = new URLSearchParams(search).get("park");
  try {
    return {
      driver: decodeURIComponent(driver),
      runId: decodeURIComponent(runId),
      ...(parkId === null || parkId === "" ? {} : { parkId }),
    };
  } catch {
    return undefined; // Not something that was ever a link of ours.
  }
}

export function isRunsPath(pathname: string): boolean {
  return pathname === "/runs" || pathname.startsWith("/runs/");
}
