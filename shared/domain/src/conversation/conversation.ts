import { type ConversationEvent, formatInstant } from "@interlude/contract";
import { accept, type Decision } from "@interlude/kernel";

/** What stands in one chat: its open questions, oldest first, and what has gone. */
export type Conversation = Readonly<{ open: readonly string[]; closed: ReadonlySet<string> }>;

export const NO_CONVERSATION: Conversation = { open: [], closed: new Set() };

export type ThreadName = Readonly<{ channel: string; thread: string }>;

export type ConversationCommand = ThreadName &
  Readonly<{ interactionId: string; nowMs: number }> &
  (Readonly<{ type: "Enter"; deadlineMs: number }> | Readonly<{ type: "Leave" }>);

/** What follows in a conversation that is known so far: what cannot, changes nothing. One copy for all: it may go on for years. */
export function foldConversation(
  events: readonly ConversationEvent[],
  known: Conversation = NO_CONVERSATION,
): Conversation {
  const open = new Set(known.open);
  const closed = new Set(known.closed);
  for (const event of events) {
    if (!isOfQueue(event)) continue;
    const { interaction_id: id } = event.data;
    if (event.type === "closed") {
      open.delete(id);
      closed.add(id);
    } else if (!closed.has(id)) open.add(id);
  }
  return { open: [...open], closed };
}

/** Of the conversation's questions; the others change nothing here. */
export function isOfQueue(
  event: ConversationEvent,
): event is Extract<ConversationEvent, { type: "queued" | "closed" }> {
  return event.type === "queued" || event.type === "closed";
}

/** The one that a reply answers where it cannot say what it is to: the others wait behind it. */
export function frontOf({ open }: Conversation): string | undefined {
  return open[0];
}

/** A question comes once and goes once; to repeat either changes nothing. */
export function decideConversation(
  command: ConversationCommand,
  state: Conversation,
): Decision<ConversationEvent, never> {
  const { channel, thread, interactionId: interaction_id, nowMs } = command;
  const data = { channel, thread, interaction_id, at: formatInstant(nowMs) };
  const isGone = state.closed.has(interaction_id);
  if (command.type === "Leave") {
    return isGone ? accept() : accept<ConversationEvent>({ type: "closed", data });
  }
  if (isGone || state.open.includes(interaction_id)) return accept();
  const deadline_at = formatInstant(command.deadlineMs);
  return accept<ConversationEvent>({ type: "queued", data: { ...data, deadline_at } });
}
