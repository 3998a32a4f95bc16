import { useId, useState, type ReactElement } from "react";
import type { Item } from "../api/item.ts";
import { messages } from "../messages.ts";
import fields from "../styles/field.module.css";
import { countCodePoints } from "../ui/code-points.ts";
import { Button } from "../ui/button.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { useAnswer } from "./use-answer.ts";
import styles from "./confirm-answer.module.css";
import { useDraft } from "./use-draft.ts";

const MAX_COMMENT = 512;

/** One press answers; a comment travels beside the answer as `params.comment`. */
export function ConfirmAnswer({ item }: { item: Item }): ReactElement {
  const id = useId();
  const [comment, setComment] = useDraft(item.interaction_id, (kept) =>
    typeof kept === "string" ? kept : "",
  );
  const [commenting, setCommenting] = useState(comment !== "");
  const { busy, failure, send } = useAnswer(item);
  const tooLong = countCodePoints(comment) > MAX_COMMENT;
  const answer = (value: boolean): void => {
    if (tooLong) return;
    void send(comment.trim() === "" ? { answer: value } : { answer: value, params: { comment } });
  };
  return (
    <AnswerForm
      message={tooLong ? messages.answer.commentTooLong : failure?.message}
      actions={
        <>
          <Button
            look="primary"
            disabled={busy}
            onClick={() => {
              answer(true);
            }}
          >
            {messages.answer.yes}
          </Button>
          <Button
            disabled={busy}
            onClick={() => {
              answer(false);
            }}
          >
            {messages.answer.no}
          </Button>
        </>
      }
    >
      {commenting ? (
        <div className={fields["field"]}>
          <label className={fields["label"]} htmlFor={id}>
            {messages.answer.comment}
          </label>
          <textarea
            id={id}
            className={fields["input"]}
            dir="auto"
            autoFocus={comment === ""}
            value={comment}
            onChange={(event) => {
              setComment(event.target.value);
            }}
          />
        </div>
      ) : (
        <div>
          <Button
            look="quiet"
            className={styles["comment"]}
            onClick={() => {
              setCommenting(true);
            }}
          >
            {messages.answer.addComment}
          </Button>
        </div>
      )}
    </AnswerForm>
  );
}
