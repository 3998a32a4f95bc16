import type { RunHistoryEntry, RunQuestion, RunStatus } from "@interlude/sdk";
import { duration } from "./describe-item.ts";
import { safeLine } from "./safe-text.ts";

/** How far the questions of a run's park are. */
function progress({ remaining, total }: RunStatus): string {
  return total === undefined ? `${remaining} open` : `${total - remaining} of ${total} ended`;
}

function since(run: RunStatus, nowMs: number): string {
  const at = run.updatedAt ?? run.parkedAt;
  return at === undefined ? "" : `${duration(nowMs - Date.parse(at))} ago`;
}

/** One line a run; its name is whole, since other commands want it, and only the reason is cut. */
export function runLine(run: RunStatus, columns: number, nowMs: number): string {
  const standing = [run.state.padEnd(8), progress(run).padEnd(15), since(run, nowMs).padEnd(10)];
  const head = [...standing, `${safeLine(run.driver)} ${safeLine(run.runId)}`].join("  ");
  if (run.reason === undefined) return head;
  return `${head}  ${safeLine(run.reason, Math.max(20, columns - head.length - 2))}`;
}

export function runText(run: RunStatus): string {
  const fields: [string, string | undefined][] = [
    ["driver", run.driver],
    ["run", run.runId],
    ["park", run.parkId],
    ["state", run.state],
    ["questions", progress(run)],
    ["attempts", String(run.attempts)],
    ["reason", run.reason],
    ["owner", run.owner],
    ["parked at", run.parkedAt],
    ["updated at", run.updatedAt],
  ];
  return fields
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${safeLine(value)}`]))
    .join("\n");
}

export function runQuestionLine(question: RunQuestion, columns: number): string {
  const { interactionId, status, answeredBy, reason } = question;
  const by = answeredBy === undefined ? "" : ` by ${safeLine(answeredBy)}`;
  const head = `  ${safeLine(interactionId)}  ${`${status}${by}`.padEnd(10)}`;
  const text = [question.question ?? "", reason === undefined ? "" : `(${reason})`].join(" ");
  return `${head}  ${safeLine(text, Math.max(20, columns - head.length - 2))}`;
}

function questionCount(count: number | undefined): string | undefined {
  return count === undefined ? undefined : `${count} ${count === 1 ? "question" : "questions"}`;
}

export function runHistoryLine(entry: RunHistoryEntry): string {
  const { at, type, attempt, by, retryAt, questions, reason } = entry;
  const details = [
    questionCount(questions),
    attempt === undefined ? undefined : `attempt ${attempt}`,
    by === undefined ? undefined : `by ${by}`,
    retryAt === undefined ? undefined : `again from ${retryAt}`,
    reason,
  ];
  return safeLine(
    `${at}  ${type.padEnd(16)}  ${details.filter((detail) => detail !== undefined).join("; ")}`,
  );
}
