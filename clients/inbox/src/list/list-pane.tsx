import { useEffect, useState, type ReactElement } from "react";
import { Link } from "wouter";
import { listNotifications, type Me } from "../api/doors.ts";
import { useLive } from "../live/live.ts";
import { messages } from "../messages.ts";
import { useQuestions } from "../state/questions.ts";
import { endSession } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Icon } from "../ui/icon.tsx";
import { Filters } from "./filters.tsx";
import styles from "./list-pane.module.css";
import { QuestionList } from "./question-list.tsx";

/** A deployment without the door simply has no feed. */
function useHasFeed(): boolean {
  const [answers, setAnswers] = useState(false);
  useEffect(() => {
    listNotifications().then(
      () => {
        setAnswers(true);
      },
      () => undefined,
    );
  }, []);
  return answers;
}

function Header(): ReactElement {
  const waiting = useQuestions((state) => state.waiting);
  const live = useLive((state) => state.status);
  useEffect(() => {
    document.title = messages.documentTitle(waiting ?? 0);
  }, [waiting]);
  return (
    <header className={styles["header"]}>
      <h1 className={styles["title"]}>{messages.inbox}</h1>
      {waiting === null ? null : <p className={styles["count"]}>{messages.list.waiting(waiting)}</p>}
      <p className={cx(styles["live"], styles[live])}>{messages.live[live]}</p>
    </header>
  );
}

function Account({ me }: { me: Me }): ReactElement {
  const hasFeed = useHasFeed();
  return (
    <footer className={styles["account"]}>
      <p className={styles["subject"]}>
        <span className={styles["hidden"]}>{messages.account.signedInAs} </span>
        {me.subject}
      </p>
      {hasFeed ? (
        <Link className={styles["feed"]} href="/notifications">
          <Icon name="bell" />
          {messages.account.notifications}
        </Link>
      ) : null}
      <Button look="quiet" onClick={() => void endSession().catch(() => undefined)}>
        {messages.account.signOut}
      </Button>
    </footer>
  );
}

export function ListPane({ me, selected }: { me: Me; selected: string | null }): ReactElement {
  return (
    <section className={styles["pane"]} aria-label={messages.list.region}>
      <Header />
      <Filters />
      <QuestionList selected={selected} />
      <Account me={me} />
    </section>
  );
}
