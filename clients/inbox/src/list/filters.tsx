import { useEffect, useState, type ChangeEvent, type ReactElement } from "react";
import { messages } from "../messages.ts";
import { SORTS, STATUS_FILTERS } from "../state/filter.ts";
import { setFilter, useQuestions } from "../state/questions.ts";
import { cutToCodePoints } from "../ui/code-points.ts";
import { Icon } from "../ui/icon.tsx";
import styles from "./filters.module.css";

/** Somebody is still typing for this long after a key. */
const TYPING_MS = 250;
/** The field that a key leads to. */
export const SEARCH_ID = "search";
/** The contract's cap on `q`, in code points. */
const MAX_QUERY = 200;

function Search(): ReactElement {
  const applied = useQuestions((state) => state.filter.q);
  const [typed, setTyped] = useState(applied);
  useEffect(() => {
    const q = cutToCodePoints(typed.trim(), MAX_QUERY);
    if (q === applied) return undefined;
    const timer = setTimeout(() => {
      setFilter({ q });
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, applied]);
  return (
    <div className={styles["search"]}>
      <Icon name="search" />
      <input
        type="search"
        id={SEARCH_ID}
        aria-label={messages.list.searchLabel}
        placeholder={messages.list.searchHint}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
        }}
      />
    </div>
  );
}

type ChoiceProps<T extends string> = {
  label: string;
  values: readonly T[];
  names: Record<T, string>;
  value: T;
  onChoose: (value: T) => void;
};

function Choice<T extends string>({ label, values, names, value, onChoose }: ChoiceProps<T>): ReactElement {
  const choose = (event: ChangeEvent<HTMLSelectElement>): void => {
    const chosen = values[event.target.selectedIndex];
    if (chosen !== undefined) onChoose(chosen);
  };
  return (
    <select className={styles["choice"]} aria-label={label} value={value} onChange={choose}>
      {values.map((entry) => (
        <option key={entry} value={entry}>
          {names[entry]}
        </option>
      ))}
    </select>
  );
}

export function Filters(): ReactElement {
  const filter = useQuestions((state) => state.filter);
  return (
    <div className={styles["filters"]} role="search">
      <Search />
      <Choice
        label={messages.list.statusLabel}
        values={STATUS_FILTERS}
        names={messages.list.statuses}
        value={filter.status}
        onChoose={(status) => {
          setFilter({ status });
        }}
      />
      <Choice
        label={messages.list.sortLabel}
        values={SORTS}
        names={messages.list.sorts}
        value={filter.sort}
        onChoose={(sort) => {
          setFilter({ sort });
        }}
      />
    </div>
  );
}
