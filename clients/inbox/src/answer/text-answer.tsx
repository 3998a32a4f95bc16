import { useId, useRef, useState, type ReactElement } from "react";
import type { Item } from "../api/item.ts";
import { messages } from "../messages.ts";
import fields from "../styles/field.module.css";
import { countCodePoints } from "../ui/code-points.ts";
import { Button } from "../ui/button.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { SendHint } from "./send-hint.tsx";
import styles from "./text-answer.module.css";
import { useAnswer } from "./use-answer.ts";
import { useDraft } from "./use-draft.ts";

const MAX_CHARACTERS = 16_384;

type SuggestionsProps = { item: Item; onPick: (value: string) => void };

function Suggestions({ item, onPick }: SuggestionsProps): ReactElement | null {
  if (item.options.length === 0) return null;
  return (
    <div className={styles["suggestions"]} role="group" aria-label={messages.answer.suggestions}>
      {item.options.map((option) => (
        <Button
          key={option.value}
          className={styles["suggestion"]}
          onClick={() => {
            onPick(option.value);
          }}
        >
          {option.label}
        </Button>
      ))}
    </div>
  );
}

/** An empty answer is a valid one, but seldom meant: it is sent on the second press. */
export function TextAnswer({ item }: { item: Item }): ReactElement {
  const id = useId();
  const [text, setText] = useDraft(item.interaction_id, (kept) => (typeof kept === "string" ? kept : ""));
  const [warned, setWarned] = useState(false);
  const { busy, failure, send } = useAnswer(item);
  const box = useRef<HTMLTextAreaElement>(null);
  const over = countCodePoints(text) - MAX_CHARACTERS;
  const write = (value: string): void => {
    setText(value);
    setWarned(false);
  };
  const submit = (): void => {
    if (over > 0 || busy) return;
    if (text === "" && !warned) setWarned(true);
    else void send({ answer: text });
  };
  const message =
    over > 0 ? messages.answer.tooLong(over) : warned ? messages.answer.emptyText : failure?.message;
  return (
    <AnswerForm
      message={message}
      onSubmit={submit}
      actions={
        <>
          <Button type="submit" look="primary" disabled={busy}>
            {messages.answer.send}
          </Button>
          <SendHint />
        </>
      }
    >
      <div className={fields["field"]}>
        <label className={fields["label"]} htmlFor={id}>
          {messages.answer.label}
        </label>
        <textarea
          ref={box}
          id={id}
          className={fields["input"]}
          rows={4}
          dir="auto"
          value={text}
          onChange={(event) => {
            write(event.target.value);
          }}
        />
      </div>
      <Suggestions
        item={item}
        onPick={(value) => {
          write(value);
          box.current?.focus();
        }}
      />
    </AnswerForm>
  );
}
