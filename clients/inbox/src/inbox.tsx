import { lazy, Suspense, useEffect, type ReactElement } from "react";
import { useRoute } from "wouter";
import type { Me } from "./api/doors.ts";
import { NothingSelected } from "./detail/nothing-selected.tsx";
import { QuestionPage } from "./detail/question-page.tsx";
import styles from "./inbox.module.css";
import { ListPane } from "./list/list-pane.tsx";
import { startLive } from "./live/live.ts";
import { messages } from "./messages.ts";
import { forgetQuestions, loadBase } from "./state/questions.ts";

const Feed = lazy(() => import("./notifications/feed.tsx").then(({ Feed }) => ({ default: Feed })));

/** Two panes side by side, or on a phone one after the other; the list stays mounted to keep its place. */
export function Inbox({ me }: { me: Me }): ReactElement {
  const [isQuestion, question] = useRoute("/q/:id");
  const [isFeed] = useRoute("/notifications");
  useEffect(() => {
    void loadBase();
    const stop = startLive();
    return () => {
      stop();
      forgetQuestions();
    };
  }, []);

  return (
    <main className={styles["shell"]} data-view={isQuestion || isFeed ? "detail" : "list"}>
      <ListPane me={me} selected={question?.id ?? null} />
      <section
        className={styles["detail"]}
        aria-label={isFeed ? messages.feed.title : messages.detail.region}
      >
        {isFeed ? (
          <Suspense>
            <Feed />
          </Suspense>
        ) : isQuestion ? (
          <QuestionPage key={question.id} id={question.id} me={me} />
        ) : (
          <NothingSelected />
        )}
      </section>
    </main>
  );
}
