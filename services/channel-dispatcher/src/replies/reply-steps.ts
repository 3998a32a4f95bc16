import type { ConversationEvent } from "@interlude/contract";

/** How far the reply to one cause has come, by the events of its conversation. */
export type ReplyProgress = Readonly<{
  isDue: boolean;
  /** Its messages that are out: it goes on behind them. */
  taken: readonly string[];
  /** Times that somebody began to send the next of them, and nobody said that it has not left. */
  begun: number;
  isOver: boolean;
}>;

/** A message that may be out is sent once more: no provider takes a key that would make a repeat safe. */
const MOST_BEGUN = 2;
const NOTHING: ReplyProgress = { isDue: false, taken: [], begun: 0, isOver: false };

export function replyProgress(events: readonly ConversationEvent[], cause: string): ReplyProgress {
  return events.filter((event) => "cause" in event.data && event.data.cause === cause).reduce(after, NOTHING);
}

function after(progress: ReplyProgress, event: ConversationEvent): ReplyProgress {
  if (event.type === "reply_due") return { ...progress, isDue: true };
  if (event.type === "not_posted") return { ...progress, begun: Math.max(0, progress.begun - 1) };
  if (event.type === "posted") return { ...progress, isOver: true };
  if (event.type !== "posting") return progress;
  const { message_ids: taken = [] } = event.data;
  const isSame = taken.length === progress.taken.length;
  return { ...progress, taken, begun: isSame ? progress.begun + 1 : 1 };
}

/** `give_up`: it was begun as often as it may be, and nobody knows whether it arrived. */
export function replyStep({ begun, isOver }: ReplyProgress): "over" | "begin" | "give_up" {
  if (isOver) return "over";
  return begun < MOST_BEGUN ? "begin" : "give_up";
}
