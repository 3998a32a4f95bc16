import { useEffect, useMemo, useRef, type ReactElement } from "react";
import type { Me } from "../api/doors.ts";
import type { Run, RunAddress } from "../api/runs.ts";
import { Account } from "../list/account.tsx";
import pane from "../list/list-pane.module.css";
import { PaneHeader } from "../list/pane-header.tsx";
import list from "../list/question-list.module.css";
import { useListKeys } from "../list/use-list-keys.ts";
import { messages } from "../messages.ts";
import { loadMoreRuns, loadRuns, retryRuns, setRunFilter, useRuns } from "../state/runs.ts";
import { useRefresh } from "../state/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { useNow } from "../ui/use-now.ts";
import { DRIVER_ID, RunFilters } from "./run-filters.tsx";
import { RunRow } from "./run-row.tsx";
import styles from "./runs-pane.module.css";

const EVERY_MS = 6_000;
const TICK_MS = 10_000;

function Empty(): ReactElement {
  const { state, driver } = useRuns((runs) => runs.filter);
  const { runs } = messages;
  if (state === "all" && driver === "")
    return <Notice icon="run" title={runs.emptyTitle} text={runs.emptyText} />;
  return (
    <Notice icon="search" title={messages.list.emptyFilterTitle} text={runs.emptyFilterText}>
      {state === "all" ? null : (
        <Button
          onClick={() => {
            setRunFilter({ state: "all" });
          }}
        >
          {runs.showAll}
        </Button>
      )}
    </Notice>
  );
}

function Skeleton(): ReactElement {
  return (
    <div className={list["skeleton"]} aria-busy="true">
      <p className={list["loading"]}>{messages.loading}</p>
      {[0, 1, 2, 3, 4].map((row) => (
        <div key={row} className={list["ghost"]} />
      ))}
    </div>
  );
}

/** A park's name is one only within its run. */
const rowId = ({ driver, runId, parkId }: Run): string => JSON.stringify([driver, runId, parkId]);

type Selected = { selected: RunAddress | undefined; me: Me };

function Rows({ selected, me }: Selected): ReactElement {
  const { items, nextCursor, loadingMore, stale } = useRuns();
  const now = useNow(TICK_MS);
  // Without a park in the address the newest is shown, which stands first.
  const current = items.find(
    ({ driver, runId, parkId }) =>
      driver === selected?.driver &&
      runId === selected.runId &&
      (selected.parkId === undefined || parkId === selected.parkId),
  );
  const scroller = useRef<HTMLDivElement>(null);
  const ids = useMemo(() => items.map(rowId), [items]);
  const currentId = current === undefined ? null : rowId(current);
  useListKeys({ ids, selected: currentId, scroller, searchId: DRIVER_ID, isShown: true });
  return (
    <div className={list["scroller"]} ref={scroller}>
      {stale ? <p className={styles["stale"]}>{messages.runs.stale}</p> : null}
      {items.length === 0 ? (
        <Empty />
      ) : (
        <ul aria-label={messages.runs.title}>
          {items.map((run) => (
            <li key={rowId(run)}>
              <RunRow
                run={run}
                id={rowId(run)}
                selected={run === current}
                now={now}
                showsOwner={run.owner !== me.subject}
              />
            </li>
          ))}
        </ul>
      )}
      {nextCursor === null ? null : (
        <p className={list["more"]}>
          <Button disabled={loadingMore} onClick={() => void loadMoreRuns()}>
            {loadingMore ? messages.list.loadingMore : messages.runs.more}
          </Button>
        </p>
      )}
    </div>
  );
}

function Body(props: Selected): ReactElement {
  const phase = useRuns((runs) => runs.phase);
  switch (phase) {
    case "loading":
      return <Skeleton />;
    case "forbidden":
      return <Notice icon="lock" title={messages.runs.forbiddenTitle} text={messages.runs.forbiddenText} />;
    case "failed":
      return (
        <Notice icon="alert" title={messages.list.failedTitle} text={messages.list.failedText}>
          <Button onClick={retryRuns}>{messages.retry}</Button>
        </Notice>
      );
    case "ready":
      return <Rows {...props} />;
  }
}

/** The list of runs in the place of the list of questions, read anew while it is looked at. */
export function RunsPane({ me, selected }: Selected): ReactElement {
  useEffect(() => {
    void loadRuns().catch(() => undefined);
  }, []);
  useRefresh(loadRuns, EVERY_MS);
  useEffect(() => {
    const before = document.title;
    document.title = messages.runs.documentTitle;
    return () => {
      document.title = before;
    };
  }, []);
  return (
    <section className={pane["pane"]} aria-label={messages.runs.listRegion}>
      <PaneHeader me={me} view="runs" />
      <RunFilters />
      <Body me={me} selected={selected} />
      <Account me={me} />
    </section>
  );
}
