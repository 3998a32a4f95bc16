import type { ConversationEvent } from "@interlude/contract";

/** How far the reply to one cause has come, by the events of its conversation. */
export type ReplyProgress = Readonly<{
  isDue: boolean;
  /** Times that somebody began to send it. */
  begun: number;
  isOver: boolean;
}>;

/** A reply that may be out is sent once more: no provider takes a key that would make a repeat safe. */
const MOST_BEGUN = 2;

export function replyProgress(events: readonly ConversationEvent[], cause: string): ReplyProgress {
  const own = events.filter((event) => "cause" in event.data && event.data.cause === cause);
  return {
    isDue: own.some(({ type }) => type === "reply_due"),
    begun: own.filter(({ type }) => type === "posting").length,
    isOver: own.some(({ type }) => type === "posted"),
  };
}

/** `give_up`: it was begun as often as it may be, and nobody knows whether it arrived. */
export function replyStep({ begun, isOver }: ReplyProgress): "over" | "begin" | "give_up" {
  if (isOver) return "over";
  return begun < MOST_BEGUN ? "begin" : "give_up";
}
