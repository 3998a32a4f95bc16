import { type ConversationEvent, formatInstant } from "@interlude/contract";
import { accept, type Decision } from "@interlude/kernel";

/** What stands in one chat: its open questions, oldest first, and what has gone. */
export type Conversation = Readonly<{
  open: readonly string[];
  closed: ReadonlySet<string>;
  /** Runs that go on here, newest last. */
  bound: readonly Readonly<{ driver: string; runId: string }>[];
}>;

export const NO_CONVERSATION: Conversation = { open: [], closed: new Set(), bound: [] };

export type ThreadName = Readonly<{ channel: string; thread: string }>;

export type ConversationCommand = ThreadName &
  Readonly<{ interactionId: string; nowMs: number }> &
  (Readonly<{ type: "Enter"; deadlineMs: number }> | Readonly<{ type: "Leave" }>);

/** Total: what cannot follow the state changes nothing. */
export function evolveConversation(state: Conversation, event: ConversationEvent): Conversation {
  switch (event.type) {
    case "queued": {
      const { interaction_id: id } = event.data;
      if (state.open.includes(id) || state.closed.has(id)) return state;
      return { ...state, open: [...state.open, id] };
    }
    case "closed": {
      const { interaction_id: id } = event.data;
      const open = state.open.filter((each) => each !== id);
      return { ...state, open, closed: new Set([...state.closed, id]) };
    }
    case "bound": {
      const { driver, run_id: runId } = event.data;
      const rest = state.bound.filter((each) => each.driver !== driver || each.runId !== runId);
      return { ...state, bound: [...rest, { driver, runId }] };
    }
    case "fronted":
    case "aliased":
    case "reply_due":
    case "notice_due":
    case "posting":
    case "posted":
      return state;
  }
}

export function foldConversation(events: readonly ConversationEvent[]): Conversation {
  return events.reduce(evolveConversation, NO_CONVERSATION);
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
