import type { ReactElement } from "react";
import type { RunHappening, RunHistory as History } from "../api/runs.ts";
import { messages } from "../messages.ts";
import { formatMoment } from "../ui/time.ts";
import styles from "./run-detail.module.css";

function words({ type, channel, questions, attempt, by, parkedAgain }: RunHappening): string {
  const { happened } = messages.runs;
  switch (type) {
    case "parked":
      return happened.parked(questions);
    case "turn_received":
      return happened.said(channel ?? "");
    case "resume_requested":
      return happened.ready;
    case "claimed":
      return happened.began(attempt);
    case "attempt_failed":
      return happened.attemptFailed(attempt);
    case "resumed":
      return parkedAgain ? happened.parkedAgain : happened.wentOn;
    case "failed":
      return happened.gaveUp(attempt);
    case "replayed":
      return happened.replayed(by ?? "");
    default:
      return type;
  }
}

export function RunHistory({ history }: { history: History }): ReactElement {
  return (
    <section className={styles["section"]}>
      <h3 className={styles["sub"]}>{messages.detail.history}</h3>
      {history.truncated ? <p className={styles["quiet"]}>{messages.runs.truncated}</p> : null}
      <ol className={styles["entries"]} aria-label={messages.detail.history}>
        {history.items.map((entry) => (
          <li key={entry.sequence} className={styles["entry"]}>
            <span className={styles["happened"]}>
              {words(entry)}
              <time className={styles["quiet"]} dateTime={entry.at}>
                {formatMoment(entry.at)}
              </time>
            </span>
            {entry.reason === undefined ? null : (
              <span className={styles["reason"]} dir="auto">
                {entry.reason}
              </span>
            )}
            {entry.retryAt === undefined ? null : (
              <span className={styles["quiet"]}>{messages.runs.retryAt(formatMoment(entry.retryAt))}</span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
