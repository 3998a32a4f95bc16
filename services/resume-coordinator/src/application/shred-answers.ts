import type { RunParkedData } from "@interlude/contract";
import { foldPark } from "@interlude/domain";
import {
  type InteractionStore,
  type Log,
  type ParkAddress,
  readHistories,
  type RunStore,
} from "@interlude/event-log";
import type { AnswerKeys } from "@interlude/service-kit";

export type ShredDeps = {
  log: Log;
  runs: Pick<RunStore, "read">;
  interactions: InteractionStore;
  answerKeys: Pick<AnswerKeys, "shred">;
  /** Whether another park, which is not over, waits for the question too. @throws ServiceFailure */
  isAwaited: (interactionId: string) => Promise<boolean>;
};

/** The claim that carried a park's sensitive answers has completed: their keys go. Repeating it changes nothing. */
export async function shredAnswers(deps: ShredDeps, address: ParkAddress): Promise<number> {
  const parked = await readParked(deps, address);
  let shredded = 0;
  const ids = parked?.interaction_ids ?? [];
  for await (const histories of readHistories(deps.log, deps.interactions, ids)) {
    for (const { id, history } of histories) {
      const isSensitive = history.entries.some(
        ({ entry }) => "type" in entry && entry.type === "asked" && entry.data.sensitive,
      );
      if (!isSensitive || (await deps.isAwaited(id))) continue;
      await deps.answerKeys.shred(id);
      shredded += 1;
    }
  }
  return shredded;
}

async function readParked(
  { runs }: Pick<ShredDeps, "runs">,
  address: ParkAddress,
): Promise<RunParkedData | undefined> {
  const { park } = await runs.read(address);
  const folded = foldPark(
    park.map(({ sequence, entry }) =>
      "unknownType" in entry ? { sequence, ...entry } : { sequence, event: entry },
    ),
  );
  return folded.ok && folded.park.status === "resumed" ? folded.park.parked : undefined;
}
