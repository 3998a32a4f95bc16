import { useEffect, useRef, type ReactElement } from "react";
import { Link } from "wouter";
import type { RunAddress } from "../api/runs.ts";
import page from "../detail/question-page.module.css";
import { messages } from "../messages.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { formatMoment } from "../ui/time.ts";
import { runHref } from "./run-address.ts";
import styles from "./run-detail.module.css";
import { RunHistory } from "./run-history.tsx";
import { RunQuestions } from "./run-questions.tsx";
import { RunStanding } from "./run-standing.tsx";
import { useRun, type LoadedRun, type RunParts } from "./use-run.ts";

type DetailProps = { parts: RunParts; loaded: LoadedRun };

function Detail({ parts, loaded }: DetailProps): ReactElement {
  const { run, waiting, ended, history } = parts;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  const own = history.items.filter((entry) => entry.parkId === run.parkId);
  const newest = history.items.findLast((entry) => entry.type === "parked")?.parkId ?? run.parkId;
  return (
    <article className={styles["detail"]}>
      <header className={styles["head"]}>
        <h2 ref={heading} tabIndex={-1} className={styles["title"]} dir="auto">
          {run.runId}
        </h2>
        <p className={styles["quiet"]}>
          {run.driver} · {messages.detail.askedBy(run.owner)} ·{" "}
          {messages.runs[run.isTurn ? "saidAt" : "parkedAt"](formatMoment(run.parkedAt))}
        </p>
      </header>
      {loaded.stale ? <p className={styles["stale"]}>{messages.runs.stale}</p> : null}
      {newest === run.parkId ? null : (
        <p className={styles["quiet"]}>
          {messages.runs.older}{" "}
          <Link href={runHref({ driver: run.driver, runId: run.runId })}>{messages.runs.toNewest}</Link>
        </p>
      )}
      <RunStanding run={run} last={own.at(-1)} read={loaded.read} />
      <RunQuestions
        title={messages.runs.waitingFor}
        count={run.remaining}
        part={waiting}
        onMore={() => {
          loaded.more("waiting");
        }}
      />
      <RunQuestions
        title={messages.runs.arrived}
        count={run.total - run.remaining}
        part={ended}
        onMore={() => {
          loaded.more("ended");
        }}
      />
      <RunHistory history={history} />
    </article>
  );
}

function Body({ address }: { address: RunAddress }): ReactElement {
  const loaded = useRun(address);
  const { runs } = messages;
  if (loaded.parts !== undefined) return <Detail parts={loaded.parts} loaded={loaded} />;
  switch (loaded.failure) {
    case "not-found":
      return <Notice icon="search" title={runs.notFoundTitle} text={runs.notFoundText} />;
    case "forbidden":
      return <Notice icon="lock" title={runs.forbiddenTitle} text={runs.forbiddenText} />;
    case "failed":
      return (
        <Notice icon="alert" title={runs.failedTitle} text={messages.list.failedText}>
          <Button onClick={() => void loaded.read().catch(() => undefined)}>{messages.retry}</Button>
        </Notice>
      );
    case undefined:
      return <p className={page["loading"]}>{messages.loading}</p>;
  }
}

export function RunPage({ address }: { address: RunAddress }): ReactElement {
  return (
    <div className={page["page"]}>
      <nav className={page["bar"]} aria-label={messages.back}>
        <Link href="/runs" className={page["back"]}>
          <Icon name="back" />
          {messages.runs.title}
        </Link>
      </nav>
      <Body address={address} />
    </div>
  );
}
