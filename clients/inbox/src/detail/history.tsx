import { useEffect, useState, type ReactElement } from "react";
import { getHistory, type HistoryEntry } from "../api/doors.ts";
import { messages } from "../messages.ts";
import { Disclosure } from "../ui/disclosure.tsx";
import { formatMoment } from "../ui/time.ts";
import styles from "./history.module.css";

const NAMES: Readonly<Record<string, string>> = messages.events;

function name(type: string): string {
  const short = type.replace(/^.*interaction\./, "").replace(/\.v\d+$/, "");
  return (Object.hasOwn(NAMES, short) ? NAMES[short] : undefined) ?? short;
}

function Entries({ id, sequence }: { id: string; sequence: number }): ReactElement {
  const [entries, setEntries] = useState<readonly HistoryEntry[] | "failed">();
  useEffect(() => {
    let current = true;
    getHistory(id).then(
      (read) => {
        if (current) setEntries(read);
      },
      () => {
        if (current) setEntries("failed");
      },
    );
    return () => {
      current = false;
    };
  }, [id, sequence]);
  if (entries === undefined) return <p className={styles["quiet"]}>{messages.loading}</p>;
  if (entries === "failed") return <p className={styles["quiet"]}>{messages.detail.historyFailed}</p>;
  return (
    <ol className={styles["entries"]}>
      {entries.map((entry) => (
        <li key={entry.sequence} className={styles["entry"]}>
          <span>
            {entry.answered_by === undefined
              ? name(entry.type)
              : messages.status.answeredBy(entry.answered_by)}
          </span>
          <time className={styles["quiet"]} dateTime={entry.at}>
            {formatMoment(entry.at)}
          </time>
        </li>
      ))}
    </ol>
  );
}

export function History({ id, sequence }: { id: string; sequence: number }): ReactElement {
  return (
    <Disclosure summary={messages.detail.history}>{() => <Entries id={id} sequence={sequence} />}</Disclosure>
  );
}
