import type { ReactElement } from "react";
import styles from "./send-hint.module.css";

/** A reminder for those with a keyboard; screen readers have the button. */
export function SendHint(): ReactElement {
  return (
    <span className={styles["hint"]} aria-hidden="true">
      <kbd>Ctrl</kbd> <kbd>Enter</kbd>
    </span>
  );
}
