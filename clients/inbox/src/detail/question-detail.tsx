import { useEffect, useRef, type ReactElement } from "react";
import type { Me } from "../api/doors.ts";
import type { Item } from "../api/item.ts";
import { AnswerControls } from "../answer/answer-controls.tsx";
import { messages } from "../messages.ts";
import { maySeeRuns } from "../runs/may-see-runs.ts";
import { statusAt } from "../state/overlay.ts";
import { cx } from "../ui/cx.ts";
import { Icon } from "../ui/icon.tsx";
import { formatMoment } from "../ui/time.ts";
import { useNow } from "../ui/use-now.ts";
import { Cancel } from "./cancel.tsx";
import { Deadline } from "./deadline.tsx";
import { Facts } from "./facts.tsx";
import { History } from "./history.tsx";
import { MediaList } from "./media-list.tsx";
import { Outcome } from "./outcome.tsx";
import styles from "./question-detail.module.css";
import { QuestionRun } from "./question-run.tsx";
import { StatusLine } from "./status-line.tsx";

/** A heading of one line is set large; one of a thousand words reads as text. */
function size(question: string): string | undefined {
  if (question.length <= 140) return styles["large"];
  return question.length <= 480 ? styles["medium"] : styles["small"];
}

function Heading({ item }: { item: Item }): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null);
  // The reader of a screen is taken to what was opened; the list keeps its place.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h2 ref={heading} tabIndex={-1} dir="auto" className={cx(styles["question"], size(item.question))}>
      {item.question}
    </h2>
  );
}

export function QuestionDetail({ item, me }: { item: Item; me: Me }): ReactElement {
  const now = useNow(1_000);
  const status = statusAt(item, now);
  const isOpen = status === "pending";
  return (
    <article className={styles["detail"]}>
      <header className={styles["head"]}>
        <Heading item={item} />
        <p className={styles["meta"]}>
          <span>{messages.detail.askedBy(item.asker)}</span>
          <time dateTime={item.created_at}>{formatMoment(item.created_at)}</time>
          {isOpen ? <Deadline item={item} now={now} /> : null}
        </p>
        {item.sensitive ? (
          <p className={styles["note"]}>
            <Icon name="lock" />
            {messages.detail.sensitive}
          </p>
        ) : null}
      </header>
      <StatusLine item={item} status={status} />
      {maySeeRuns(me) ? <QuestionRun id={item.interaction_id} status={status} /> : null}
      <Facts item={item} />
      <MediaList media={item.media} />
      {isOpen ? <AnswerControls item={item} /> : <Outcome item={item} now={now} />}
      <footer className={styles["foot"]}>
        <History id={item.interaction_id} sequence={item.sequence} />
        {isOpen && (me.roles.includes("operator") || me.subject === item.asker) ? (
          <Cancel item={item} />
        ) : null}
      </footer>
    </article>
  );
}
