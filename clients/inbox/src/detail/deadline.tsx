import type { ReactElement } from "react";
import type { Item } from "../api/item.ts";
import { messages } from "../messages.ts";
import { cx } from "../ui/cx.ts";
import { formatLeft, formatMoment, isUrgent } from "../ui/time.ts";
import styles from "./deadline.module.css";

export function Deadline({ item, now }: { item: Item; now: number }): ReactElement | null {
  const deadline = Date.parse(item.timeout_at);
  if (Number.isNaN(deadline)) return null;
  return (
    <time
      dateTime={item.timeout_at}
      title={formatMoment(item.timeout_at)}
      className={cx(styles["due"], isUrgent(item.created_at, item.timeout_at, now) && styles["urgent"])}
    >
      {messages.detail.due} {formatLeft(deadline - now)}
    </time>
  );
}
