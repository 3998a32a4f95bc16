import { useState, type ReactElement, type ReactNode } from "react";
import styles from "./disclosure.module.css";

type Props = { summary: string; children: () => ReactNode };

/** Its content is made only once it is opened. */
export function Disclosure({ summary, children }: Props): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <details
      className={styles["disclosure"]}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary className={styles["summary"]}>{summary}</summary>
      {open ? children() : null}
    </details>
  );
}
