import { memo, type ReactElement } from "react";
import type { Run } from "../api/runs.ts";
import { messages } from "../messages.ts";
import { type Badge, Row } from "../ui/row.tsx";
import { runHref } from "./run-address.ts";

type Props = { run: Run; id: string; selected: boolean; now: number; showsOwner: boolean };

const TONES: Record<Run["state"], Badge["tone"]> = {
  parked: "plain",
  resuming: "accent",
  resumed: "good",
  failed: "danger",
};

function words({ state, total, remaining }: Run): string {
  return state === "parked" ? messages.runs.progress(total - remaining, total) : messages.runs.states[state];
}

export const RunRow = memo(function RunRow({ run, id, selected, now, showsOwner }: Props): ReactElement {
  return (
    <Row
      id={id}
      href={runHref(run)}
      selected={selected}
      title={run.runId}
      from={showsOwner ? `${run.driver} · ${run.owner}` : run.driver}
      at={run.updatedAt}
      now={now}
      badge={{ text: words(run), tone: TONES[run.state] }}
      fault={run.state === "failed" ? run.reason : undefined}
    />
  );
});
