import { CAPS, type Parsed, type RunQuestion, type RunQuestionPage } from "@interlude/contract";
import { deadlineMs, foldPark, type Interaction } from "@interlude/domain";
import {
  type InteractionStore,
  type Log,
  type ParkAddress,
  readHistories,
  type RunStore,
} from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import { stateOf } from "./read-resolutions.ts";

export type RunQuestionDeps = {
  log: Log;
  interactions: InteractionStore;
  runs: Pick<RunStore, "read">;
  /** Those of these that have not ended. @throws ServiceFailure */
  pending: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
};

export type RunQuestionRequest = { state?: "waiting" | "ended"; cursor?: string };

const BAD_CURSOR = { path: "cursor", message: "cursor must be a next_cursor of this run's questions" };

/** One page of a park's questions, in the order of its set, each as it stands. */
export async function runQuestions(
  deps: RunQuestionDeps,
  address: ParkAddress,
  { state, cursor }: RunQuestionRequest,
): Promise<Parsed<RunQuestionPage>> {
  const ids = await idsOf(deps.runs, address);
  // A set never changes, so one of its questions is a cursor.
  const from = cursor === undefined ? 0 : ids.indexOf(cursor) + 1;
  if (cursor !== undefined && from === 0) return { ok: false, faults: [BAD_CURSOR] };
  const wanted = await ofState(deps, ids.slice(from), state);
  const page = wanted.slice(0, CAPS.PAGE_SIZE_DEFAULT);
  const goesOn = wanted.length > page.length;
  return {
    ok: true,
    value: { items: await render(deps, page), next_cursor: goesOn ? (page.at(-1) ?? null) : null },
  };
}

async function idsOf(runs: RunQuestionDeps["runs"], address: ParkAddress): Promise<readonly string[]> {
  const { park } = await runs.read(address);
  const folded = foldPark(
    park.map(({ sequence, entry }) =>
      "unknownType" in entry ? { sequence, ...entry } : { sequence, event: entry },
    ),
  );
  if (!folded.ok)
    throw new ServiceFailure("event_unreadable", { retry: "later", message: folded.refusal.code });
  return folded.park.status === "unparked" ? [] : folded.park.parked.interaction_ids;
}

async function ofState(
  { pending }: RunQuestionDeps,
  ids: readonly string[],
  state: RunQuestionRequest["state"],
): Promise<readonly string[]> {
  if (state === undefined || ids.length === 0) return ids;
  const open = await pending(ids);
  return ids.filter((id) => open.has(id) === (state === "waiting"));
}

async function render(
  { log, interactions }: RunQuestionDeps,
  ids: readonly string[],
): Promise<RunQuestion[]> {
  const questions: RunQuestion[] = [];
  for await (const histories of readHistories(log, interactions, ids)) {
    const nowMs = log.clock.nowMs();
    questions.push(...histories.map(({ id, history }) => runQuestion(id, stateOf(history), nowMs)));
  }
  return questions;
}

/** Never what was answered: that is the question's own, and may be sensitive. */
export function runQuestion(interactionId: string, state: Interaction, nowMs: number): RunQuestion {
  if (state.status === "unasked") return { interaction_id: interactionId, status: "purged" };
  const { question, answer_format, timeout_at } = state.asked;
  return { interaction_id: interactionId, question, answer_format, timeout_at, ...endOf(state, nowMs) };
}

type End = Pick<RunQuestion, "status" | "at" | "answered_by" | "reason">;

function endOf(state: Exclude<Interaction, { status: "unasked" }>, nowMs: number): End {
  switch (state.status) {
    case "pending":
      // Past its deadline a question is over, whether or not the event has landed.
      if (nowMs < deadlineMs(state.asked)) return { status: "pending" };
      return { status: "expired", at: state.asked.timeout_at };
    case "answered":
      return { status: "answered", at: state.answered.at, answered_by: state.answered.answered_by };
    case "expired":
      return { status: "expired", at: state.expired.at };
    case "cancelled": {
      const { reason, at } = state.cancelled;
      return { status: "cancelled", at, ...(reason === undefined ? {} : { reason }) };
    }
    case "failed":
      return { status: "failed", at: state.failed.at, reason: state.failed.reason };
  }
}
