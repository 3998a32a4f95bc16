import type { ReactElement, ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";
import styles from "./notice.module.css";

type Props = { icon: IconName; title: string; text?: string; children?: ReactNode };

/** A whole pane that has nothing else to show: empty, failed, not found. */
export function Notice({ icon, title, text, children }: Props): ReactElement {
  return (
    <div className={styles["notice"]}>
      <span className={styles["icon"]}>
        <Icon name={icon} />
      </span>
      <p className={styles["title"]}>{title}</p>
      {text === undefined ? null : <p className={styles["text"]}>{text}</p>}
      {children}
    </div>
  );
}
