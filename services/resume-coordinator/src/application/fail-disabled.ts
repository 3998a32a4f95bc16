import { handleRunCommand, type RunStore } from "@interlude/event-log";
import type { Clock } from "@interlude/kernel";
import type { ParkRow } from "@interlude/run-model";
import type { Claimable } from "./claim-desk.ts";

export type FailDisabledDeps = {
  runs: RunStore;
  clock: Clock;
  /** Subjects and key ids that are disabled now. */
  denied: () => ReadonlySet<string>;
  /** A subject's parks that are to be resumed, some at a time. @throws ServiceFailure `database_unavailable` */
  resumingOf: (owner: string) => AsyncIterable<readonly ParkRow[]>;
};

/**
 * Ends the resumes of subjects that are disabled, where nobody is left who could claim them: they fail with the
 * reason, and can be replayed. Answers when to look again, where a claim still holds one of them.
 */
export async function failDisabled(deps: FailDisabledDeps): Promise<number | undefined> {
  let againAtMs: number | undefined;
  for (const owner of deps.denied()) {
    for await (const parks of deps.resumingOf(owner)) {
      for (const park of parks) {
        const heldUntilMs = await failForDisabled(deps, park);
        if (heldUntilMs !== undefined) againAtMs = Math.min(againAtMs ?? heldUntilMs, heldUntilMs);
      }
    }
  }
  return againAtMs;
}

/** Ends one of them. Answers until when a claim holds it, where one does. */
export async function failForDisabled(
  { runs, clock }: Pick<FailDisabledDeps, "runs" | "clock">,
  park: Claimable,
): Promise<number | undefined> {
  const { driver, runToken, parkToken, owner } = park;
  const reason = `the subject ${JSON.stringify(owner)} that asked has been disabled`;
  const handled = await handleRunCommand(
    runs,
    { driver, runToken, parkToken },
    (nowMs) => ({ type: "FailForGood", reason, nowMs }),
    () => clock.nowMs(),
  );
  if (handled.ok || !("refusal" in handled) || handled.refusal.code !== "not_claimable") return undefined;
  return handled.refusal.availableAtMs;
}
