import type { ThreadAddress } from "@interlude/event-log";
import type { Keyring } from "@interlude/secrets";
import { toldOutcome } from "../application/next-step.ts";
import { Interrupted } from "../application/question-work.ts";
import { untilDone } from "../application/until-done.ts";
import type { HeldPartition } from "../ports.ts";
import { openReply } from "./due-replies.ts";
import type { Posted, ReplyRecord } from "./reply-record.ts";

export type PostReplyDeps = Readonly<{
  record: Omit<ReplyRecord, "due">;
  keyring: Keyring;
  onFailure: (error: unknown) => void;
  onLost: (channel: string, reason: string) => void;
}>;

const UNREADABLE = "its words cannot be read any more";
const NOBODY_KNOWS = "nobody knows whether it arrived";

/**
 * Says it in its conversation, behind what stands there: once, and once more where the first may not have arrived. What
 * it says in several messages goes on behind those that are out.
 */
export async function postReply(
  deps: PostReplyDeps,
  held: HeldPartition,
  place: ThreadAddress,
  { cause, sealed }: { cause: string; sealed: string },
): Promise<void> {
  const { record, onFailure } = deps;
  const { channel, outbox, stopping } = held;
  const words = openReply(deps.keyring, sealed);
  await outbox.inLane(words?.address ?? place.thread, async () => {
    if (stopping.aborted) throw new Interrupted();
    const posted = words === undefined ? { messageIds: [], failed: UNREADABLE } : await send();
    if (posted === "over") return;
    await untilDone(() => record.posted(place, cause, posted), stopping, onFailure);
    if (posted.failed !== undefined) deps.onLost(channel.name, posted.failed);

    async function send(): Promise<Posted | "over"> {
      const { address, text, reply_to } = words ?? { address: "", text: "" };
      const requests = channel.renderNotice(address, text, reply_to);
      // One alone has nothing before it.
      const taken = requests.length > 1 ? await patiently(() => record.taken(place, cause)) : [];
      let begun: Awaited<ReturnType<ReplyRecord["begin"]>> | undefined;
      const outcomes = await outbox.send(address, requests.slice(taken.length), {
        taken,
        async mayBegin(known) {
          begun = await patiently(() => record.begin(place, cause, known));
          if (typeof begun !== "number") return "no";
          return begun > 1 ? "again" : "first";
        },
        onNotOut: (known, outcome) =>
          patiently(() => record.notOut(place, cause, known, toldOutcome(outcome))),
      });
      if (begun === "over") return begun;
      const posted = postedOf(taken, outcomes);
      return begun === "give_up" ? { ...posted, failed: NOBODY_KNOWS } : posted;
    }

    function patiently<T>(work: () => Promise<T>): Promise<T> {
      return untilDone(work, stopping, onFailure);
    }

    function postedOf(taken: readonly string[], outcomes: Awaited<ReturnType<typeof outbox.send>>): Posted {
      const sent = outcomes.flatMap((each) => (each.kind === "sent" ? [each.messageId] : []));
      const messageIds = [...taken, ...sent];
      const last = outcomes.at(-1);
      if (last === undefined || last.kind === "sent") return { messageIds };
      // Nobody was reached, as where the provider is away: what stands behind it must not overtake it.
      if (last.kind === "not_sent" && stopping.aborted) throw new Interrupted();
      return { messageIds, failed: toldOutcome(last) };
    }
  });
}
