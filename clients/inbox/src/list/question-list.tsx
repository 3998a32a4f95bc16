import { useCallback, useEffect, useMemo, useRef, type ReactElement } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { messages } from "../messages.ts";
import { visibleItems } from "../state/overlay.ts";
import { loadMore, retryBase, setFilter, useQuestions } from "../state/questions.ts";
import { useListInput } from "../state/use-list.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { useNow } from "../ui/use-now.ts";
import { SEARCH_ID } from "./filters.tsx";
import { ListItems, ListRow, SetSize } from "./list-elements.tsx";
import styles from "./question-list.module.css";
import { QuestionRow } from "./question-row.tsx";
import { useListKeys } from "./use-list-keys.ts";

const TICK_MS = 10_000;
/** Rows kept beyond the window: generous, so that find-in-page and screen readers meet a whole page of them. */
const BUFFER_PX = 2_400;
/** The next page is fetched before the last rows come into view. */
const FETCH_AHEAD_ROWS = 20;

function Empty(): ReactElement {
  const filter = useQuestions((state) => state.filter);
  if (filter.status === "pending" && filter.q === "")
    return <Notice icon="inbox" title={messages.list.emptyTitle} text={messages.list.emptyText} />;
  return (
    <Notice icon="search" title={messages.list.emptyFilterTitle} text={messages.list.emptyFilterText}>
      {filter.status === "pending" ? null : (
        <Button
          onClick={() => {
            setFilter({ status: "pending" });
          }}
        >
          {messages.list.showWaiting}
        </Button>
      )}
    </Notice>
  );
}

function Skeleton(): ReactElement {
  return (
    <div className={styles["skeleton"]} aria-busy="true">
      <p className={styles["loading"]}>{messages.loading}</p>
      {[0, 1, 2, 3, 4].map((row) => (
        <div key={row} className={styles["ghost"]} />
      ))}
    </div>
  );
}

function Failed(): ReactElement {
  return (
    <Notice icon="alert" title={messages.list.failedTitle} text={messages.list.failedText}>
      <Button onClick={retryBase}>{messages.retry}</Button>
    </Notice>
  );
}

export function QuestionList({
  selected,
  isShown,
}: {
  selected: string | null;
  isShown: boolean;
}): ReactElement {
  const phase = useQuestions((state) => state.phase);
  const loadingMore = useQuestions((state) => state.loadingMore);
  const list = useListInput();
  const now = useNow(TICK_MS);
  const rows = useMemo(() => visibleItems(list, now), [list, now]);
  const scroller = useRef<HTMLDivElement>(null);
  const handle = useRef<VirtualizerHandle>(null);
  const fetchAhead = useCallback((): void => {
    const { current } = handle;
    if (current === null) return;
    const last = current.findItemIndex(current.scrollOffset + current.viewportSize);
    if (last >= rows.length - FETCH_AHEAD_ROWS) void loadMore();
  }, [rows.length]);
  // Rows may end faster than they are scrolled, and a page may not come: whoever is at the end cannot scroll on.
  useEffect(() => {
    if (!list.hasMore || loadingMore) return;
    if (rows.length < FETCH_AHEAD_ROWS) void loadMore();
    else fetchAhead();
  }, [list.hasMore, loadingMore, rows.length, fetchAhead]);
  const ids = useMemo(() => rows.map((item) => item.interaction_id), [rows]);
  const reveal = (index: number): void => handle.current?.scrollToIndex(index, { align: "nearest" });
  useListKeys({ ids, selected, scroller, reveal, searchId: SEARCH_ID, isShown });

  if (phase === "failed") return <Failed />;
  if (phase === "loading" && rows.length === 0) return <Skeleton />;
  return (
    <div className={styles["scroller"]} ref={scroller}>
      {rows.length === 0 ? (
        <Empty />
      ) : (
        <SetSize value={list.hasMore ? -1 : rows.length}>
          <Virtualizer
            ref={handle}
            as={ListItems}
            item={ListRow}
            bufferSize={BUFFER_PX}
            onScroll={fetchAhead}
          >
            {rows.map((item) => (
              <QuestionRow
                key={item.interaction_id}
                item={item}
                selected={item.interaction_id === selected}
                now={now}
              />
            ))}
          </Virtualizer>
        </SetSize>
      )}
      {loadingMore ? <p className={styles["more"]}>{messages.list.loadingMore}</p> : null}
    </div>
  );
}
