import type { AskedData } from "@interlude/contract";
import {
  addressOfAsked,
  createInteractionStore,
  DURABLES,
  type Log,
  openLog,
  STREAMS,
} from "@interlude/event-log";
import { uuidV7 } from "@interlude/kernel";
import { eventually } from "@interlude/testing";
import type { Composition } from "./composition.ts";
import { openDoors } from "./doors.ts";

const IN_FLIGHT = 256;
const DAY_MS = 86_400_000;
/** Generous: a machine that is busy with other things may take ten times as long as a quiet one. */
const SETTLE_MS_PER_QUESTION = 6;
const SETTLE_AT_LEAST_MS = 30_000;

/** A question as an ask would store it. */
export function pendingQuestion(nowMs: number, dueAtMs = nowMs + DAY_MS): AskedData {
  const id = uuidV7(nowMs);
  return {
    interaction_id: id,
    asker: "dev",
    group_id: id,
    question: "Shall we ship the release to everybody tonight?",
    answer_format: "confirm",
    format_payload: {},
    mode: "sync",
    created_at: new Date(nowMs).toISOString(),
    timeout_at: new Date(dueAtMs).toISOString(),
    sensitive: false,
    fingerprint: id,
  };
}

/** Puts questions straight into the log, each under the expectation an ask has. The last sequence. */
export async function seedQuestions(
  log: Log,
  count: number,
  questionAt: (index: number) => AskedData,
): Promise<number> {
  const store = createInteractionStore(log);
  let next = 0;
  let last = 0;
  const worker = async () => {
    while (next < count) {
      const data = questionAt(next++);
      const write = { eventId: data.interaction_id, nowMs: log.clock.nowMs() };
      const outcome = await store.append({ type: "asked", data }, addressOfAsked(data), 0, write);
      if (outcome.status !== "appended")
        throw new Error(`a seeded question was not stored: ${outcome.status}`);
      last = Math.max(last, outcome.sequence);
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, count) }, worker));
  return last;
}

/** Seeds open questions and waits until every reader has them, so that only the measured work runs. */
export async function seedPending(composition: Composition, count: number): Promise<void> {
  const log = await openLog({ url: composition.natsUrl, service: "bench" });
  try {
    const last = await seedQuestions(log, count, () => pendingQuestion(log.clock.nowMs()));
    await settled(composition, log, last, count);
  } finally {
    await log.close();
  }
}

/** Until the list includes `last` and every deadline is armed. */
export async function settled(
  composition: Composition,
  log: Log,
  last: number,
  count: number,
): Promise<void> {
  const within = { withinMs: SETTLE_AT_LEAST_MS + count * SETTLE_MS_PER_QUESTION, everyMs: 200 };
  const doors = openDoors(composition, 1);
  try {
    await eventually(async () => (await doors.metric("interlude_projected_sequence")) >= last, within);
    await eventually(async () => {
      const info = await log.manager.consumers.info(STREAMS.interactions, DURABLES.expiryLifecycle);
      return info.num_pending === 0 && info.num_ack_pending === 0;
    }, within);
  } finally {
    await doors.close();
  }
}
