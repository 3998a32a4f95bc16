import type { ReactElement } from "react";
import { Link } from "wouter";
import { cx } from "./cx.ts";
import styles from "./row.module.css";
import { formatAgo } from "./time.ts";

export type Badge = { text: string; tone: "plain" | "accent" | "good" | "danger" };

type Props = {
  /** What the keys find it by. */
  id: string;
  href: string;
  selected: boolean;
  title: string;
  from: string;
  at: string;
  now: number;
  badge: Badge | undefined;
  fault?: string | undefined;
};

/** One line of a list, which opens what it names. */
export function Row({ id, href, selected, title, from, at, now, badge, fault }: Props): ReactElement {
  return (
    <Link href={href} className={styles["row"]} aria-current={selected ? "true" : undefined} data-row={id}>
      <span className={styles["title"]} dir="auto">
        {title}
      </span>
      <time className={styles["time"]} dateTime={at}>
        {formatAgo(at, now)}
      </time>
      <span className={styles["from"]}>{from}</span>
      {badge === undefined ? null : (
        <span className={cx(styles["badge"], styles[badge.tone])}>{badge.text}</span>
      )}
      {fault === undefined ? null : (
        <span className={styles["fault"]} dir="auto">
          {fault}
        </span>
      )}
    </Link>
  );
}
