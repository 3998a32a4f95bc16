import { lazy, Suspense, useEffect, type ReactElement } from "react";
import { useRoute, useSearch } from "wouter";
import { usePathname } from "wouter/use-browser-location";
import type { Me } from "./api/doors.ts";
import { NoRunSelected, NothingSelected } from "./detail/nothing-selected.tsx";
import { QuestionPage } from "./detail/question-page.tsx";
import styles from "./inbox.module.css";
import { ListPane } from "./list/list-pane.tsx";
import { startLive } from "./live/live.ts";
import { messages } from "./messages.ts";
import { isRunsPath, readRunAddress, runHref } from "./runs/run-address.ts";
import { forgetQuestions, loadBase } from "./state/questions.ts";
import { forgetRuns } from "./state/runs.ts";

const Feed = lazy(() => import("./notifications/feed.tsx").then(({ Feed }) => ({ default: Feed })));
const RunsPane = lazy(() => import("./runs/runs-pane.tsx").then(({ RunsPane }) => ({ default: RunsPane })));
const RunPage = lazy(() => import("./runs/run-page.tsx").then(({ RunPage }) => ({ default: RunPage })));

/** Two panes side by side, or on a phone one after the other; the list stays mounted to keep its place. */
export function Inbox({ me }: { me: Me }): ReactElement {
  const [isQuestion, question] = useRoute("/q/:id");
  const [isFeed] = useRoute("/notifications");
  const [pathname, search] = [usePathname(), useSearch()];
  const isRuns = isRunsPath(pathname);
  const run = isRuns ? readRunAddress(pathname, search) : undefined;
  useEffect(() => {
    void loadBase();
    const stop = startLive();
    return () => {
      stop();
      forgetQuestions();
      forgetRuns();
    };
  }, []);

  const region = isFeed ? messages.feed.title : isRuns ? messages.runs.region : messages.detail.region;
  return (
    <main
      className={styles["shell"]}
      data-view={isQuestion || isFeed || run !== undefined ? "detail" : "list"}
      data-list={isRuns ? "runs" : "questions"}
    >
      <div className={styles["questions"]}>
        <ListPane me={me} selected={question?.id ?? null} isShown={!isRuns} />
      </div>
      {isRuns ? (
        <div className={styles["runs"]}>
          <Suspense>
            <RunsPane me={me} selected={run} />
          </Suspense>
        </div>
      ) : null}
      <section className={styles["detail"]} aria-label={region}>
        {isRuns ? (
          run === undefined ? (
            <NoRunSelected />
          ) : (
            <Suspense>
              <RunPage key={runHref(run)} address={run} />
            </Suspense>
          )
        ) : isFeed ? (
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
