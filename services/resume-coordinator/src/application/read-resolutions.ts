import { END_TYPES, formatInstant, type Resolution, type RunParkedData } from "@interlude/contract";
import { fold, type Interaction } from "@interlude/domain";
import { type History, type InteractionStore, type Log, readHistories } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import { type AnswerKeys, resultFor } from "@interlude/service-kit";
import { renderResolution } from "./render-resolution.ts";

export type ResolutionDeps = { log: Log; interactions: InteractionStore; answerKeys: AnswerKeys };

export type ReadResolution = Readonly<{ resolution: Resolution; askerGroups: readonly string[] | undefined }>;

/** How the questions of a park ended, in the order of its set from `from` on, some at a time. */
export async function* readResolutions(
  { log, interactions, answerKeys }: ResolutionDeps,
  parked: RunParkedData,
  from = 0,
): AsyncGenerator<ReadResolution> {
  const owner = { kind: "subject", subject: parked.owner, roles: [], groups: [] } as const;
  const ids = parked.interaction_ids.slice(from);
  for await (const histories of readHistories(log, interactions, ids, hasEnded)) {
    for (const { id, history } of histories) {
      const state = stateOf(history);
      const outcome = state.status === "answered" ? await resultFor(answerKeys, state, owner) : undefined;
      const resolution = renderResolution(id, state, outcome, formatInstant(log.clock.nowMs()));
      if (resolution === undefined) throw stillOpen(id);
      yield { resolution, askerGroups: state.status === "unasked" ? undefined : state.asked.asker_groups };
    }
  }
}

const ENDS: ReadonlySet<string> = new Set(END_TYPES);

function hasEnded(history: History): boolean {
  return history.entries.some(({ entry }) => "type" in entry && ENDS.has(entry.type));
}

/** @throws ServiceFailure when only a newer process can read what is stored */
export function stateOf(history: History): Interaction {
  const folded = fold(history.entries.map(({ entry }) => entry));
  if (folded.ok) return folded.state;
  throw new ServiceFailure("event_unreadable", { retry: "later", message: folded.refusal.code });
}

/** A park is released when all have ended; an id that was asked anew since is another question. */
function stillOpen(id: string): ServiceFailure {
  return new ServiceFailure("log_unavailable", {
    retry: "later",
    message: "a question of a released park is open",
    context: { id },
  });
}
