import { useRef, useState, type ReactElement } from "react";
import { DoorError } from "../api/http.ts";
import { replayRun, type Run, type RunHappening } from "../api/runs.ts";
import { messages } from "../messages.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Fault } from "../ui/fault.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import styles from "./run-detail.module.css";

const ICONS: Record<Run["state"], IconName> = {
  parked: "clock",
  resuming: "again",
  resumed: "check",
  failed: "alert",
};

function words(run: Run, last: RunHappening | undefined): string {
  const { runs } = messages;
  switch (run.state) {
    case "parked":
      return runs.waitsFor(run.remaining, run.total);
    case "resuming":
      if (last?.type === "claimed") return runs.atAttempt(last.attempt);
      return last?.type === "attempt_failed" ? runs.againSoon(last.attempt) : runs.ready;
    case "resumed":
      return runs.wentOn;
    case "failed":
      return runs.gaveUp(run.attempts);
  }
}

function explain(error: unknown): string {
  const status = error instanceof DoorError ? error.status : -1;
  const { replayFaults } = messages.runs;
  if (status === 0) return replayFaults.offline;
  if (status === 409) return replayFaults.notFailed;
  return status === 404 ? replayFaults.gone : replayFaults.failed;
}

type Props = { run: Run; last: RunHappening | undefined; read: () => Promise<void> };

/** Where the run stands; always there, so that a change is announced when its words change. */
export function RunStanding({ run, last, read }: Props): ReactElement {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const [note, setNote] = useState<string>();
  const line = useRef<HTMLDivElement>(null);
  const replay = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      const replayed = await replayRun(run);
      setNote(replayed?.parkId === run.parkId ? messages.runs.replayed : messages.runs.replayedOther);
      // The button is about to go: the reader stays where the outcome is said.
      line.current?.focus();
    } catch (error) {
      setFault(explain(error));
    }
    await read().catch(() => undefined);
    setBusy(false);
  };
  return (
    <div className={styles["standing"]}>
      <div ref={line} role="status" tabIndex={-1} className={cx(styles["line"], styles[run.state])}>
        <Icon name={ICONS[run.state]} />
        <div className={styles["words"]}>
          <p className={styles["strong"]}>{words(run, last)}</p>
          {run.reason !== undefined && run.state !== "resumed" ? (
            <p className={styles["reason"]} dir="auto">
              {run.reason}
            </p>
          ) : null}
          {note === undefined ? null : <p>{note}</p>}
        </div>
      </div>
      {run.state === "parked" ? (
        <progress
          className={styles["progress"]}
          aria-label={messages.runs.arrived}
          value={run.total - run.remaining}
          max={run.total}
        />
      ) : null}
      <Fault message={fault} alert />
      {run.state === "failed" ? (
        <div>
          <Button look="primary" disabled={busy} onClick={() => void replay()}>
            {busy ? messages.runs.replaying : messages.runs.replay}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
