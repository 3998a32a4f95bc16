import { useEffect, useState, type ReactElement } from "react";
import { Link } from "wouter";
import { listNotifications, type Me } from "../api/doors.ts";
import { messages } from "../messages.ts";
import { endSession } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import styles from "./list-pane.module.css";

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

export function Account({ me }: { me: Me }): ReactElement {
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
