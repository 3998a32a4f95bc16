import type { ReactElement } from "react";
import type { Item, Status } from "../api/item.ts";
import { messages } from "../messages.ts";
import { cx } from "../ui/cx.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { formatMoment } from "../ui/time.ts";
import styles from "./status-line.module.css";

const ICONS: Record<Exclude<Status, "pending">, IconName> = {
  answered: "check",
  expired: "clock",
  cancelled: "ban",
  failed: "alert",
};

function words(item: Item, status: Exclude<Status, "pending">): string {
  if (status !== "answered") return messages.status[status];
  return item.answered_by === undefined || item.answered_by === ""
    ? messages.status.answered
    : messages.status.answeredBy(item.answered_by);
}

/** Always there, so that what happens while somebody reads is announced when its words appear. */
export function StatusLine({ item, status }: { item: Item; status: Status }): ReactElement {
  const at = item.resolved_at ?? (status === "expired" ? item.timeout_at : undefined);
  return (
    <div role="status" className={cx(styles["line"], styles[status])}>
      {status === "pending" ? null : (
        <>
          <Icon name={ICONS[status]} />
          <span className={styles["words"]}>{words(item, status)}</span>
          {at === undefined ? null : (
            <time className={styles["at"]} dateTime={at}>
              {formatMoment(at)}
            </time>
          )}
        </>
      )}
    </div>
  );
}
