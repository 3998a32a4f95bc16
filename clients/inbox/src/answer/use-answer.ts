import { useRef, useState } from "react";
import { getQuestion, sendAnswer, type Submission } from "../api/doors.ts";
import { DoorError, type FieldFault } from "../api/http.ts";
import type { Item } from "../api/item.ts";
import { messages } from "../messages.ts";
import { dropDraft } from "../state/drafts.ts";
import { rememberItem, useQuestions } from "../state/questions.ts";

type Failure = { message: string; faults: readonly FieldFault[] };
export type Answering = {
  busy: boolean;
  failure: Failure | undefined;
  send: (submission: Submission) => Promise<void>;
};

/** Works without a secure context, unlike `crypto.randomUUID`. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

function explain(error: unknown): Failure {
  if (!(error instanceof DoorError)) return { message: messages.answer.failed, faults: [] };
  const { answer } = messages;
  if (error.status === 0) return { message: answer.offline, faults: [] };
  if (error.status === 400) return { message: answer.refused(error.message), faults: error.faults };
  if (error.status === 403) return { message: answer.forbidden, faults: [] };
  if (error.status === 413) return { message: answer.tooLarge, faults: [] };
  if (error.status === 429 || error.status === 503) return { message: answer.busy, faults: [] };
  return { message: answer.failed, faults: [] };
}

/** Over already: what became of it is read, and said where the question stands. */
async function readOutcome(item: Item): Promise<boolean> {
  const read = await getQuestion(item.interaction_id, AbortSignal.timeout(10_000)).catch(() => undefined);
  if (read !== undefined) rememberItem(read);
  return read !== undefined;
}

function recordOwn(
  item: Item,
  submission: Submission,
  recorded: Awaited<ReturnType<typeof sendAnswer>>,
): void {
  const latest = useQuestions.getState().items.get(item.interaction_id) ?? item;
  rememberItem({
    ...latest,
    status: "answered",
    answered_by: recorded.answered_by,
    resolved_at: recorded.answered_at,
    sequence: Math.max(recorded.sequence, latest.sequence),
    ...(item.sensitive ? {} : { answer: submission.answer }),
  });
  dropDraft(item.interaction_id);
}

export function useAnswer(item: Item): Answering {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const attempt = useRef({ content: "", key: "" });

  const send = async (submission: Submission): Promise<void> => {
    const content = JSON.stringify(submission);
    if (attempt.current.content !== content) attempt.current = { content, key: newKey() };
    setBusy(true);
    setFailure(undefined);
    try {
      recordOwn(item, submission, await sendAnswer(item.interaction_id, submission, attempt.current.key));
    } catch (error) {
      const isOver = error instanceof DoorError && (error.status === 409 || error.status === 410);
      if (!isOver || !(await readOutcome(item))) setFailure(explain(error));
    }
    setBusy(false);
  };
  return { busy, failure, send };
}
