import type { ReactElement } from "react";
import { Link } from "wouter";
import type { RunQuestion } from "../api/runs.ts";
import { messages } from "../messages.ts";
import { Button } from "../ui/button.tsx";
import { formatMoment } from "../ui/time.ts";
import styles from "./run-detail.module.css";
import type { Part } from "./use-run.ts";

function outcome(question: RunQuestion): string {
  const { runs, status } = messages;
  if (question.status === "purged") return runs.purged;
  if (question.status === "pending") return runs.due(formatMoment(question.timeoutAt));
  const said =
    question.status === "answered" && question.answeredBy !== undefined
      ? status.answeredBy(question.answeredBy)
      : status[question.status];
  return [said, question.reason, formatMoment(question.at)].filter(Boolean).join(" · ");
}

function Row({ question }: { question: RunQuestion }): ReactElement {
  const text = question.question === "" ? question.id : question.question;
  return (
    <li className={styles["entry"]}>
      {question.status === "purged" ? (
        <span>{text}</span>
      ) : (
        <Link href={`/q/${encodeURIComponent(question.id)}`} className={styles["link"]} dir="auto">
          {text}
        </Link>
      )}
      <span className={styles["quiet"]}>{outcome(question)}</span>
    </li>
  );
}

type Props = { title: string; count: number; part: Part; onMore: () => void };

export function RunQuestions({ title, count, part, onMore }: Props): ReactElement | null {
  if (count === 0) return null;
  return (
    <section className={styles["section"]}>
      <h3 className={styles["sub"]}>
        {title} <span className={styles["count"]}>{count}</span>
      </h3>
      <ul className={styles["entries"]} aria-label={title}>
        {part.items.map((question) => (
          <Row key={question.id} question={question} />
        ))}
      </ul>
      {part.hasMore ? <Button onClick={onMore}>{messages.runs.moreQuestions}</Button> : null}
    </section>
  );
}
