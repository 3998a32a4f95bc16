import { memo, type ReactElement } from "react";
import { Link } from "wouter";
import type { Run } from "../api/runs.ts";
import { messages } from "../messages.ts";
import { cx } from "../ui/cx.ts";
import { formatAgo } from "../ui/time.ts";
import { runHref } from "./run-address.ts";
import styles from "./run-row.module.css";

type Props = { run: Run; selected: boolean; now: number; showsOwner: boolean };

function badge({ state, total, remaining }: Run): string {
  return state === "parked" ? messages.runs.progress(total - remaining, total) : messages.runs.states[state];
}

export const RunRow = memo(function RunRow({ run, selected, now, showsOwner }: Props): ReactElement {
  return (
    <Link
      href={runHref(run)}
      className={styles["row"]}
      aria-current={selected ? "true" : undefined}
      data-row={run.parkId}
    >
      <span className={styles["title"]} dir="auto">
        {run.runId}
      </span>
      <time className={styles["time"]} dateTime={run.updatedAt}>
        {formatAgo(run.updatedAt, now)}
      </time>
      <span className={styles["from"]}>
        {run.driver}
        {showsOwner ? ` · ${run.owner}` : ""}
      </span>
      <span className={cx(styles["badge"], styles[run.state])}>{badge(run)}</span>
      {run.state === "failed" && run.reason !== undefined ? (
        <span className={styles["reason"]} dir="auto">
          {run.reason}
        </span>
      ) : null}
    </Link>
  );
});
