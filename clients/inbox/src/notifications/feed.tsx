import { useEffect, useState, type ReactElement } from "react";
import { Link } from "wouter";
import { listNotifications, type Notification } from "../api/doors.ts";
import { MediaList } from "../detail/media-list.tsx";
import { messages } from "../messages.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { formatMoment } from "../ui/time.ts";
import styles from "./feed.module.css";

type Page = { items: readonly Notification[]; nextCursor: string | null };

function Entries({ page, onMore }: { page: Page; onMore: () => void }): ReactElement {
  if (page.items.length === 0)
    return <Notice icon="bell" title={messages.feed.emptyTitle} text={messages.feed.emptyText} />;
  return (
    <>
      <ul className={styles["list"]} aria-label={messages.feed.title}>
        {page.items.map((entry) => (
          <li key={entry.id} className={styles["entry"]}>
            <p className={styles["time"]}>
              {entry.sender === "" ? "" : `${entry.sender} · `}
              <time dateTime={entry.at}>{formatMoment(entry.at)}</time>
            </p>
            <p className={styles["message"]} dir="auto">
              {entry.message}
            </p>
            <MediaList media={entry.media} />
          </li>
        ))}
      </ul>
      {page.nextCursor === null ? null : <Button onClick={onMore}>{messages.feed.more}</Button>}
    </>
  );
}

/** Messages that need no answer, newest first. */
export function Feed(): ReactElement {
  const [page, setPage] = useState<Page>();
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    listNotifications().then(setPage, () => {
      setFailed(true);
    });
  }, [attempt]);
  const more = async (): Promise<void> => {
    if (page === undefined || page.nextCursor === null) return;
    const next = await listNotifications(page.nextCursor).catch(() => undefined);
    if (next !== undefined) setPage({ items: [...page.items, ...next.items], nextCursor: next.nextCursor });
  };
  return (
    <div className={styles["feed"]}>
      <Link href="/" className={styles["back"]}>
        <Icon name="back" />
        {messages.inbox}
      </Link>
      <h2 className={styles["title"]}>{messages.feed.title}</h2>
      {failed && page === undefined ? (
        <Notice icon="alert" title={messages.feed.failed}>
          <Button
            onClick={() => {
              setFailed(false);
              setAttempt(attempt + 1);
            }}
          >
            {messages.retry}
          </Button>
        </Notice>
      ) : page === undefined ? (
        <p className={styles["time"]}>{messages.loading}</p>
      ) : (
        <Entries page={page} onMore={() => void more()} />
      )}
    </div>
  );
}
