import { memo, type ReactElement } from "react";
import type { Item, Status } from "../api/item.ts";
import { messages } from "../messages.ts";
import { statusAt } from "../state/overlay.ts";
import { type Badge, Row } from "../ui/row.tsx";
import { DUE_SHOWN_MS, formatDue, isUrgent } from "../ui/time.ts";

type Props = { item: Item; selected: boolean; now: number };

/** A title is cut by the window, not here; but a list row needs no 8,000 characters in the document. */
const TITLE_CHARACTERS = 240;

function due({ created_at, timeout_at }: Item, now: number): Badge | undefined {
  const left = Date.parse(timeout_at) - now;
  if (!(left > 0 && left < DUE_SHOWN_MS)) return undefined;
  return { text: formatDue(left), tone: isUrgent(created_at, timeout_at, now) ? "danger" : "plain" };
}

function ended(status: Status): Badge {
  return { text: messages.status[status], tone: status === "answered" ? "good" : "plain" };
}

export const QuestionRow = memo(function QuestionRow({ item, selected, now }: Props): ReactElement {
  const status = statusAt(item, now);
  return (
    <Row
      id={item.interaction_id}
      href={`/q/${encodeURIComponent(item.interaction_id)}`}
      selected={selected}
      title={item.question.trim().slice(0, TITLE_CHARACTERS)}
      from={item.channel === undefined ? item.asker : `${item.asker} · ${item.channel}`}
      at={item.created_at}
      now={now}
      badge={status === "pending" ? due(item, now) : ended(status)}
    />
  );
});
