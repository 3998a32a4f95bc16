import type { ReactElement, ReactNode } from "react";
import { Link } from "wouter";
import type { Me } from "../api/doors.ts";
import { useLive } from "../live/live.ts";
import { messages } from "../messages.ts";
import { maySeeRuns } from "../runs/may-see-runs.ts";
import { cx } from "../ui/cx.ts";
import styles from "./list-pane.module.css";

type View = "inbox" | "runs";
const VIEWS = [
  { view: "inbox", href: "/", name: messages.inbox },
  { view: "runs", href: "/runs", name: messages.runs.title },
] as const;

/** What is shown is the heading; what else there is stands beside it. */
function Views({ me, view }: { me: Me; view: View }): ReactElement {
  const others = VIEWS.filter((each) => each.view === view || each.view === "inbox" || maySeeRuns(me));
  return (
    <div className={styles["views"]}>
      {others.map((each) =>
        each.view === view ? (
          <h1 key={each.view} className={styles["title"]}>
            {each.name}
          </h1>
        ) : (
          <Link key={each.view} href={each.href} className={styles["view"]}>
            {each.name}
          </Link>
        ),
      )}
    </div>
  );
}

export function PaneHeader({
  me,
  view,
  children,
}: {
  me: Me;
  view: View;
  children?: ReactNode;
}): ReactElement {
  const live = useLive((state) => state.status);
  return (
    <header className={styles["header"]}>
      <Views me={me} view={view} />
      {children}
      <p className={cx(styles["live"], styles[live])}>{messages.live[live]}</p>
    </header>
  );
}
