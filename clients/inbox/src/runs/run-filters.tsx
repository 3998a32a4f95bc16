import { useEffect, useState, type ReactElement } from "react";
import { RUN_STATES } from "../api/runs.ts";
import filters from "../list/filters.module.css";
import { messages } from "../messages.ts";
import { setRunFilter, useRuns } from "../state/runs.ts";
import { Icon } from "../ui/icon.tsx";
import styles from "./run-filters.module.css";

/** Somebody is still typing for this long after a key. */
const TYPING_MS = 250;
/** The field that a key leads to. */
export const DRIVER_ID = "run-driver";
const STATES = ["all", ...RUN_STATES] as const;

function Driver(): ReactElement {
  const applied = useRuns((state) => state.filter.driver);
  const [typed, setTyped] = useState(applied);
  useEffect(() => {
    const driver = typed.trim();
    if (driver === applied) return undefined;
    const timer = setTimeout(() => {
      setRunFilter({ driver });
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, applied]);
  return (
    <div className={filters["search"]}>
      <Icon name="search" />
      <input
        type="search"
        id={DRIVER_ID}
        aria-label={messages.runs.driverLabel}
        placeholder={messages.runs.driverLabel}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
        }}
      />
    </div>
  );
}

export function RunFilters(): ReactElement {
  const state = useRuns((runs) => runs.filter.state);
  return (
    <div className={filters["filters"]} role="search">
      <Driver />
      <select
        className={`${filters["choice"] ?? ""} ${styles["whole"] ?? ""}`}
        aria-label={messages.runs.stateLabel}
        value={state}
        onChange={(event) => {
          const chosen = STATES[event.target.selectedIndex];
          if (chosen !== undefined) setRunFilter({ state: chosen });
        }}
      >
        {STATES.map((entry) => (
          <option key={entry} value={entry}>
            {messages.runs.filters[entry]}
          </option>
        ))}
      </select>
    </div>
  );
}
