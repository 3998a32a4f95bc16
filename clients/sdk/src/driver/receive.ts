import { call, type Session } from "../session.ts";
import type { Claim } from "./claim.ts";
import type { DriverOptions } from "./driver.ts";
import { drive } from "./work-claim.ts";
import { runOf } from "./claim.ts";

/** What to answer the service with. */
export type Received = Readonly<{ status: number; body: string }>;

/**
 * Handles a continuation that was posted here, within its request: the service keeps the claim alive meanwhile. The
 * answer says how it ended; only a run that has parked again says so by itself, since the answer cannot.
 */
export async function receive(
  session: Session,
  options: DriverOptions,
  claim: Claim,
  signal: AbortSignal,
): Promise<Received> {
  const about = { runId: runOf(claim), claimId: claim.claimId };
  const outcome = await drive({ session, options }, claim, signal, about);
  if (outcome.type === "fail") return { status: outcome.retry ? 503 : 410, body: "" };
  const { result, parked } = outcome.body;
  if (parked === true) {
    const path = `api/claims/${encodeURIComponent(claim.claimId)}/complete`;
    await call(session, { method: "POST", path, body: JSON.stringify(outcome.body) }, { signal });
    return { status: 200, body: "" };
  }
  return { status: 200, body: result === undefined ? "" : JSON.stringify(result) };
}
