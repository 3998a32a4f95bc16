import { useEffect, useState, type ReactElement } from "react";
import { Link } from "wouter";
import { listRuns, type Run } from "../api/runs.ts";
import { messages } from "../messages.ts";
import { runHref } from "../runs/run-address.ts";
import { Icon } from "../ui/icon.tsx";
import styles from "./question-run.module.css";

type Props = { id: string; status: string };

/** The run that is parked on this question, for who may see runs; most questions have none. */
export function QuestionRun({ id, status }: Props): ReactElement | null {
  const [run, setRun] = useState<Run>();
  // With its end the run may have gone on. Without the answer of the door the question is shown as ever.
  useEffect(() => {
    let isLeft = false;
    void listRuns({ interaction_id: id })
      .then(({ items: [newest] }) => {
        if (!isLeft) setRun(newest);
      })
      .catch(() => undefined);
    return () => {
      isLeft = true;
    };
  }, [id, status]);
  if (run === undefined) return null;
  const { driver, runId, state } = run;
  return (
    <p className={styles["run"]}>
      <Icon name="run" />
      <span className={styles["words"]}>
        <span className={styles["quiet"]}>{messages.detail.run}</span>
        <Link href={runHref({ driver, runId })} className={styles["link"]} dir="auto">
          {runId}
        </Link>
        <span className={styles["quiet"]}>
          {driver} · {messages.runs.filters[state]}
        </span>
      </span>
    </p>
  );
}
