import { type AskedData, END_TYPES } from "@interlude/contract";
import { deadlineMs } from "@interlude/domain";
import type { StoredEntry } from "@interlude/event-log";
import { deliverQuestion, type DeliverDeps } from "./deliver-question.ts";
import type { Progress } from "./delivery-record.ts";
import { untilDone } from "./until-done.ts";
import { endRequests } from "./update-ended.ts";
import type { FrontQueue, HeldPartition } from "../ports.ts";

export type QuestionDeps = DeliverDeps &
  Readonly<{
    front: FrontQueue;
    language: string;
  }>;

/** Another worker goes on with it. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** What the events of questions of one partition make a worker do. */
export interface QuestionWork {
  /** Resolves once nothing is left to do for the event. @throws Interrupted when another worker is to go on */
  onEvent(stored: StoredEntry): Promise<void>;
  /** Sends a question whose person had to write first, and has. To be called in the conversation's lane. */
  onWritten(id: string): Promise<void>;
}

export function createQuestionWork(
  deps: QuestionDeps,
  held: Omit<HeldPartition, "deliverNow">,
): QuestionWork {
  const { channel } = deps;
  const { outbox, stopping, cut } = held;
  /** Questions in work, so that an end elsewhere need not wait for a backoff. */
  const ending = new Map<string, AbortController>();

  const addressOf = (asked: AskedData): string =>
    asked.address ?? channel.address(asked.recipient ?? channel.defaultRecipient ?? "");

  async function deliver(
    id: string,
    { hasWritten = false, known }: { hasWritten?: boolean; known?: Progress } = {},
  ): Promise<void> {
    const ended = new AbortController();
    ending.set(id, ended);
    try {
      let read = known;
      const work = () => {
        const begun = deliverQuestion(
          deps,
          id,
          { stopping, cut, ended: ended.signal },
          { hasWritten, known: read },
        );
        // True of the first try only.
        read = undefined;
        return begun;
      };
      if ((await untilDone(work, stopping, deps.onFailure)) === "interrupted") throw new Interrupted();
    } finally {
      ending.delete(id);
    }
  }

  async function onAsked(asked: AskedData): Promise<void> {
    const id = asked.interaction_id;
    const address = addressOf(asked);
    await outbox.inLane(address, async () => {
      if (stopping.aborted) throw new Interrupted();
      const progress = await untilDone(() => deps.record.read(id), stopping, deps.onFailure);
      // Told of again after its end, it would take a place that nothing frees.
      if (progress?.state.status !== "pending") return;
      const inFront = await enterQueue(deps, address, asked, stopping);
      if (inFront === id) await deliver(id, { known: progress });
    });
  }

  async function onEnded(id: string): Promise<void> {
    ending.get(id)?.abort();
    const progress = await untilDone(() => deps.record.read(id), stopping, deps.onFailure);
    if (progress === undefined) return;
    const address = addressOf(progress.state.asked);
    await outbox.inLane(address, async () => {
      if (stopping.aborted) throw new Interrupted();
      // Read again: what stood before it in the lane may have been its own delivery.
      const now = await untilDone(() => deps.record.read(id), stopping, deps.onFailure);
      const shown = now === undefined ? undefined : endRequests(channel, now, deps.outgoing, deps.language);
      if (shown !== undefined && shown.requests.length > 0) await outbox.send(shown.address, shown.requests);
      const next = await leaveQueue(deps, address, id, stopping);
      if (next !== undefined) await deliver(next);
    });
  }

  return {
    onWritten: (id) => deliver(id, { hasWritten: true }),
    async onEvent({ entry, address }) {
      if ("unknownType" in entry) return;
      if (entry.type === "asked") await onAsked(entry.data);
      else if (END_TYPES.some((type) => type === entry.type)) await onEnded(address.id);
    },
  };
}

/** Gives the question its place; which one may be sent now, where one alone may be in front. */
async function enterQueue(
  { front, channel, onFailure }: QuestionDeps,
  address: string,
  asked: AskedData,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const question = { id: asked.interaction_id, deadlineMs: deadlineMs(asked) };
  const first = await untilDone(() => front.enter(channel, address, question), stopping, onFailure);
  return channel.capabilities.replyContext ? question.id : first;
}

/** Takes the place of one that is over; which one may be sent for that. */
async function leaveQueue(
  { front, channel, onFailure }: QuestionDeps,
  address: string,
  id: string,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const first = await untilDone(() => front.leave(channel, address, id), stopping, onFailure);
  return channel.capabilities.replyContext ? undefined : first;
}
