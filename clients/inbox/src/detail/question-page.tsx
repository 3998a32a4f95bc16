import type { ReactElement } from "react";
import { Link } from "wouter";
import type { Me } from "../api/doors.ts";
import { messages } from "../messages.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { QuestionDetail } from "./question-detail.tsx";
import styles from "./question-page.module.css";
import { useQuestion } from "./use-question.ts";

function Body({ id, me }: { id: string; me: Me }): ReactElement {
  const { item, failure, retry } = useQuestion(id);
  if (item !== undefined) return <QuestionDetail item={item} me={me} />;
  if (failure === "not-found")
    return <Notice icon="search" title={messages.detail.notFoundTitle} text={messages.detail.notFoundText} />;
  if (failure === "failed")
    return (
      <Notice icon="alert" title={messages.detail.failedTitle} text={messages.list.failedText}>
        <Button onClick={retry}>{messages.retry}</Button>
      </Notice>
    );
  return <p className={styles["loading"]}>{messages.loading}</p>;
}

export function QuestionPage({ id, me }: { id: string; me: Me }): ReactElement {
  return (
    <div className={styles["page"]}>
      <nav className={styles["bar"]} aria-label={messages.back}>
        <Link href="/" className={styles["back"]}>
          <Icon name="back" />
          {messages.inbox}
        </Link>
      </nav>
      <Body id={id} me={me} />
    </div>
  );
}
