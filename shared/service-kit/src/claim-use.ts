import type { RunName } from "@interlude/contract";
import { isJsonObject, type Json } from "@interlude/kernel";

/** What of a request decides whether it stays within a run. */
export type RunRequest = { body: Json; param: (name: string) => string };

/** The claim behind a token: which it is, and its run. */
export type ClaimScope = { run: RunName; claimId: string };

/**
 * What a claim's token may do at a door: nothing, what its subject may (each question is then judged by
 * `authorize`), or only what keeps to the claim's own run.
 */
export type ClaimUse = "never" | "always" | ((request: RunRequest, scope: ClaimScope) => boolean);

/** A question that is waited for is the run's own business; one that resumes a run must resume this one. */
export function asksForOwnRun({ body }: RunRequest, { run }: ClaimScope): boolean {
  if (!isJsonObject(body) || body["mode"] !== "async") return true;
  const named = body["run"];
  // A run that is not well said is not asked for: what is wrong with it is the door's to tell.
  if (!isJsonObject(named) || typeof named["driver"] !== "string" || typeof named["run_id"] !== "string")
    return true;
  return named["driver"] === run.driver && named["run_id"] === run.run_id;
}

export function namesOwnRun({ param }: RunRequest, { run }: ClaimScope): boolean {
  return param("driver") === run.driver && param("runId") === run.run_id;
}

export function namesOwnClaim({ param }: RunRequest, { claimId }: ClaimScope): boolean {
  return param("claimId") === claimId;
}
