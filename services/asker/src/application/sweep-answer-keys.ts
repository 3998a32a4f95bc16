import { parseInstant } from "@interlude/contract";
import { fold, type Interaction } from "@interlude/domain";
import type { InteractionStore } from "@interlude/event-log";
import type { AnswerKeys } from "@interlude/service-kit";

export type SweepDeps = {
  keys: Pick<AnswerKeys, "ids" | "madeAtMs" | "shred">;
  store: Pick<InteractionStore, "readFresh">;
  nowMs: () => number;
  shouldStop: () => boolean;
};

export type SweepReport = { looked: number; shredded: number };

/** How long a sync ask's sensitive answer can be read that its asker does not acknowledge. */
const READABLE_MS = 24 * 3_600_000;
/** A key is made just before its question is stored; a question that has not come by then never will. */
const COMING_MS = 3_600_000;

/**
 * Shreds the keys that nobody may read with any more, one at a time, so that it is no load. A key is kept where
 * its question cannot be judged.
 */
export async function sweepAnswerKeys(deps: SweepDeps): Promise<SweepReport> {
  const report = { looked: 0, shredded: 0 };
  for (const id of await deps.keys.ids()) {
    if (deps.shouldStop()) break;
    report.looked += 1;
    if (await isNeeded(deps, id)) continue;
    await deps.keys.shred(id);
    report.shredded += 1;
  }
  return report;
}

async function isNeeded(deps: SweepDeps, id: string): Promise<boolean> {
  const { entries } = await deps.store.readFresh(id);
  const folded = fold(entries.map(({ entry }) => entry));
  if (!folded.ok) return true;
  if (folded.state.status !== "unasked") return mayBeRead(folded.state, deps.nowMs());
  const madeAtMs = await deps.keys.madeAtMs(id);
  return madeAtMs === undefined || madeAtMs + COMING_MS > deps.nowMs();
}

function mayBeRead(state: Exclude<Interaction, { status: "unasked" }>, nowMs: number): boolean {
  if (state.status === "pending") return true;
  if (state.status !== "answered") return false;
  // The run that an async answer belongs to may claim it as late as it likes.
  if (state.asked.mode === "async") return true;
  const answeredAtMs = parseInstant(state.answered.at);
  return answeredAtMs === undefined || answeredAtMs + READABLE_MS > nowMs;
}
