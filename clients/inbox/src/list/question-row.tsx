import { memo, type ReactElement } from "react";
import { Link } from "wouter";
import type { Item, Status } from "../api/item.ts";
import { messages } from "../messages.ts";
import { statusAt } from "../state/overlay.ts";
import { cx } from "../ui/cx.ts";
import { DUE_SHOWN_MS, formatAgo, formatDue, isUrgent } from "../ui/time.ts";
import styles from "./question-row.module.css";

type Props = { item: Item; selected: boolean; now: number };

/** A title is cut by the window, not here; but a list row needs no 8,000 characters in the document. */
const TITLE_CHARACTERS = 240;

function Due({ item, now }: { item: Item; now: number }): ReactElement | null {
  const left = Date.parse(item.timeout_at) - now;
  if (!(left > 0 && left < DUE_SHOWN_MS)) return null;
  const urgent = isUrgent(item.created_at, item.timeout_at, now);
  return <span className={cx(styles["badge"], urgent && styles["urgent"])}>{formatDue(left)}</span>;
}

function Ended({ status }: { status: Status }): ReactElement {
  return <span className={cx(styles["badge"], styles[status])}>{messages.status[status]}</span>;
}

export const QuestionRow = memo(function QuestionRow({ item, selected, now }: Props): ReactElement {
  const status = statusAt(item, now);
  return (
    <Link
      href={`/q/${encodeURIComponent(item.interaction_id)}`}
      className={styles["row"]}
      aria-current={selected ? "true" : undefined}
      data-row={item.interaction_id}
    >
      <span className={styles["title"]} dir="auto">
        {item.question.trim().slice(0, TITLE_CHARACTERS)}
      </span>
      <span className={styles["time"]}>{formatAgo(item.created_at, now)}</span>
      <span className={styles["from"]}>
        {item.asker}
        {item.channel === undefined ? "" : ` · ${item.channel}`}
      </span>
      {status === "pending" ? <Due item={item} now={now} /> : <Ended status={status} />}
    </Link>
  );
});
