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

type Building = { open: Set<string>; closed: Set<string>; bound: Conversation["bound"][number][] };

/** Total: what cannot follow the state changes nothing. In place, since a chat may go on for years. */
function apply(building: Building, event: ConversationEvent): void {
  const { open, closed, bound } = building;
  switch (event.type) {
    case "queued": {
      const { interaction_id: id } = event.data;
      if (!closed.has(id)) open.add(id);
      return;
    }
    case "closed": {
      const { interaction_id: id } = event.data;
      open.delete(id);
      closed.add(id);
      return;
    }
    case "bound": {
      const { driver, run_id: runId } = event.data;
      const before = bound.findIndex((each) => each.driver === driver && each.runId === runId);
      if (before >= 0) bound.splice(before, 1);
      bound.push({ driver, runId });
      return;
    }
    case "fronted":
    case "aliased":
    case "reply_due":
    case "notice_due":
    case "posting":
    case "not_posted":
    case "posted":
      return;
  }
}

/** What follows in a conversation that is known so far. */
export function foldConversation(
  events: readonly ConversationEvent[],
  { open, closed, bound }: Conversation = NO_CONVERSATION,
): Conversation {
  const building: Building = { open: new Set(open), closed: new Set(closed), bound: [...bound] };
  for (const event of events) apply(building, event);
  return { ...building, open: [...building.open] };
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
