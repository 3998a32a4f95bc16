import { useEffect, type ReactElement } from "react";
import type { Me } from "../api/doors.ts";
import { messages } from "../messages.ts";
import { useQuestions } from "../state/questions.ts";
import { Account } from "./account.tsx";
import { Filters } from "./filters.tsx";
import styles from "./list-pane.module.css";
import { PaneHeader } from "./pane-header.tsx";
import { QuestionList } from "./question-list.tsx";

type Props = { me: Me; selected: string | null; isShown: boolean };

export function ListPane({ me, selected, isShown }: Props): ReactElement {
  const waiting = useQuestions((state) => state.waiting);
  useEffect(() => {
    if (isShown) document.title = messages.documentTitle(waiting ?? 0);
  }, [waiting, isShown]);
  return (
    <section className={styles["pane"]} aria-label={messages.list.region}>
      <PaneHeader me={me} view="inbox">
        {waiting === null ? null : <p className={styles["count"]}>{messages.list.waiting(waiting)}</p>}
      </PaneHeader>
      <Filters />
      <QuestionList selected={selected} isShown={isShown} />
      <Account me={me} />
    </section>
  );
}
