import { CAPS, TURN_LABEL, type TurnContent, TurnContentSchema } from "@interlude/contract";
import {
  isConversationRun,
  type StoredRunEntry,
  type ThreadAddress,
  type TurnStore,
} from "@interlude/event-log";
import type { Json } from "@interlude/kernel";
import { type Keyring, openSealedPayload, sealPayload } from "@interlude/secrets";
import { z } from "zod";
import type { Routes } from "../conversations/routes.ts";
import { causeOf, type ReplyRecord } from "./reply-record.ts";

export type DueRepliesDeps = Readonly<{
  turns: Pick<TurnStore, "startOf">;
  routes: Routes;
  record: Pick<ReplyRecord, "due">;
  keyring: Keyring;
  onIgnored: (channel: string, reason: string) => void;
  onFailure: (error: unknown) => void;
}>;

/** The label under which a reply's words, and where they go, are sealed. */
const REPLY_LABEL = "conversation-reply";

const ReplyWords = z.object({
  address: z.string(),
  text: z.string(),
  reply_to: z.string().exactOptional(),
});
export type ReplyWords = z.infer<typeof ReplyWords>;

/** What a conversation's run came to, as its route has it said to the person: stored once. */
export async function dueReply(
  deps: DueRepliesDeps,
  { address, sequence, entry }: StoredRunEntry,
): Promise<void> {
  if (!("type" in entry) || entry.type !== "resumed" || entry.data.parked === true) return;
  const { driver, run_id, park_id, result } = entry.data;
  if (result === undefined || !isConversationRun(address)) return;
  const turn = await deps.turns.startOf(address);
  if (turn === undefined) return;
  const { channel, partition, thread, route } = turn;
  const content = TurnContentSchema.safeParse(openSealedPayload(deps.keyring, TURN_LABEL, turn.sealed));
  if (!content.success) {
    deps.onIgnored(channel, "reply_unreadable");
    return;
  }
  const text = mapped(deps, { channel, driver, route }, { result, run_id });
  if (text === undefined) return;
  const place: ThreadAddress = { channel, partition, thread };
  const sealed = sealPayload(deps.keyring, REPLY_LABEL, words(content.data, text));
  // It would never be stored, and keep back what everybody else is to be told.
  if (sealed.length > CAPS.EVENT_MAX_BYTES) {
    deps.onIgnored(channel, "reply_too_large");
    return;
  }
  await deps.record.due(place, { cause: causeOf(sequence), driver, run_id, park_id, sealed });
}

/** As it was kept; `undefined` where the key is gone. */
export function openReply(keyring: Keyring, sealed: string): ReplyWords | undefined {
  const parsed = ReplyWords.safeParse(openSealedPayload(keyring, REPLY_LABEL, sealed));
  return parsed.success ? parsed.data : undefined;
}

function words({ address, reply_to }: TurnContent, text: string): ReplyWords {
  return { address, text, ...(reply_to === undefined ? {} : { reply_to }) };
}

function mapped(
  { routes, onIgnored, onFailure }: DueRepliesDeps,
  { channel, driver, route }: { channel: string; driver: string; route: string },
  outcome: { result: Json; run_id: string },
): string | undefined {
  const found = routes.after(channel, driver, route);
  if (found === undefined) {
    onIgnored(channel, "reply_without_route");
    return undefined;
  }
  try {
    return found.replyOf(outcome);
  } catch (error) {
    onFailure(error);
    onIgnored(channel, "reply_not_mapped");
    return undefined;
  }
}
