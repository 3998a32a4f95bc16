import { useState, type ReactElement } from "react";
import type { Item } from "../api/item.ts";
import { messages } from "../messages.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceInput } from "../ui/choice-input.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { SendHint } from "./send-hint.tsx";
import { useAnswer } from "./use-answer.ts";
import { useDraft } from "./use-draft.ts";

export function SelectAnswer({ item }: { item: Item }): ReactElement {
  const [at, setAt] = useDraft(item.interaction_id, (kept) => (typeof kept === "number" ? kept : -1));
  const [missing, setMissing] = useState(false);
  const { busy, failure, send } = useAnswer(item);
  const submit = (): void => {
    const chosen = item.options[at];
    if (chosen === undefined) setMissing(true);
    else if (!busy) void send({ answer: chosen.value });
  };
  return (
    <AnswerForm
      message={failure?.message}
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
      <ChoiceInput
        label={messages.answer.label}
        labels={item.options.map((option) => option.label)}
        at={at}
        fault={missing ? messages.answer.chooseFirst : undefined}
        onChoose={(next) => {
          setAt(next);
          setMissing(false);
        }}
      />
    </AnswerForm>
  );
}
