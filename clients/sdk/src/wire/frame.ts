import type { EventSourceMessage } from "eventsource-parser";
import { fieldsOf, oneOf, optionalText, present, text, unexpected } from "./fields.ts";
import { type InteractionStatus, type Item, itemOf, STATUSES } from "./item.ts";

export type StreamFrame =
  | Readonly<{ type: "add"; id: string; item: Item }>
  | Readonly<{
      type: "answered" | "removed";
      id: string;
      interactionId: string;
      groupId: string;
      status: InteractionStatus;
      at: string;
      answeredBy?: string | undefined;
    }>;

function parsed(data: string): unknown {
  try {
    const value: unknown = JSON.parse(data);
    return value;
  } catch {
    throw unexpected("a frame is not JSON");
  }
}

const ENDS = new Map<string | undefined, "answered" | "removed">([
  ["interaction.answered", "answered"],
  ["interaction.removed", "removed"],
]);

/** Undefined for kinds of frames that a later version may send. */
export function frameOf(message: EventSourceMessage): StreamFrame | undefined {
  const id = message.id ?? "";
  if (message.event === "interaction.add") return { type: "add", id, item: itemOf(parsed(message.data)) };
  const type = ENDS.get(message.event);
  if (type === undefined) return undefined;
  const fields = fieldsOf(parsed(message.data), "frame");
  return present({
    type,
    id,
    interactionId: text(fields, "interaction_id"),
    groupId: text(fields, "group_id"),
    status: oneOf(fields, "status", STATUSES),
    at: text(fields, "at"),
    answeredBy: optionalText(fields, "answered_by"),
  });
}
