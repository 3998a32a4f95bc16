import type { ReactElement } from "react";
import { messages } from "../messages.ts";
import { Notice } from "../ui/notice.tsx";
import styles from "./nothing-selected.module.css";

const KEYS = [
  [["j", "k"], messages.pane.keys.move],
  [["Enter"], messages.pane.keys.open],
  [["/"], messages.pane.keys.search],
  [["Ctrl", "Enter"], messages.pane.keys.send],
] as const;

export function NothingSelected(): ReactElement {
  return (
    <div className={styles["center"]}>
      <Notice icon="inbox" title={messages.pane.nothingTitle} text={messages.pane.nothingText}>
        <ul className={styles["keys"]}>
          {KEYS.map(([keys, meaning]) => (
            <li key={meaning}>
              {keys.map((key) => (
                <kbd key={key} className={styles["key"]}>
                  {key}
                </kbd>
              ))}{" "}
              {meaning}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
