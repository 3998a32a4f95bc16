import type { ReactElement } from "react";
import { messages } from "../messages.ts";
import type { IconName } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./nothing-selected.module.css";

type Key = readonly [keys: readonly string[], meaning: string];

const { keys } = messages.pane;
const MOVE: readonly Key[] = [
  [["j", "k"], keys.move],
  [["Enter"], keys.open],
];
const OF_QUESTIONS: readonly Key[] = [...MOVE, [["/"], keys.search], [["Ctrl", "Enter"], keys.send]];
const OF_RUNS: readonly Key[] = [...MOVE, [["/"], messages.runs.searchKey]];

type Props = { icon: IconName; title: string; known: readonly Key[] };

function Nothing({ icon, title, known }: Props): ReactElement {
  return (
    <div className={styles["center"]}>
      <Notice icon={icon} title={title} text={messages.pane.nothingText}>
        <ul className={styles["keys"]}>
          {known.map(([names, meaning]) => (
            <li key={meaning}>
              {names.map((name) => (
                <kbd key={name} className={styles["key"]}>
                  {name}
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

export function NothingSelected(): ReactElement {
  return <Nothing icon="inbox" title={messages.pane.nothingTitle} known={OF_QUESTIONS} />;
}

export function NoRunSelected(): ReactElement {
  return <Nothing icon="run" title={messages.runs.nothingTitle} known={OF_RUNS} />;
}
