import { useMemo, useState, type ReactElement } from "react";
import { AnswerForm } from "../answer/answer-form.tsx";
import { SendHint } from "../answer/send-hint.tsx";
import { useAnswer } from "../answer/use-answer.ts";
import { useDraft } from "../answer/use-draft.ts";
import type { Item } from "../api/item.ts";
import { messages } from "../messages.ts";
import { Button } from "../ui/button.tsx";
import { checkAnswer } from "./check.ts";
import { firstDraft, type Draft } from "./draft.ts";
import { FieldInput } from "./field-input.tsx";
import type { Field } from "./field.ts";
import { focusFault } from "./focus-fault.ts";
import styles from "./form-answer.module.css";
import { pageOf, pagesOf, type Page } from "./pages.ts";
import { pinFaults } from "./pin-faults.ts";
import { readDraft, type Fault } from "./read-draft.ts";
import { reviveDraft } from "./revive-draft.ts";
import { toForm } from "./to-field.ts";

function setMember(draft: Draft, index: number, member: Draft): Draft {
  if (draft.kind !== "group") return member;
  return { ...draft, members: draft.members.map((known, at) => (at === index ? member : known)) };
}

type PageProps = {
  form: Field;
  page: Page;
  draft: Draft;
  faults: ReadonlyMap<string, string>;
  onChange: (draft: Draft) => void;
};

function PageFields({ form, page, draft, faults, onChange }: PageProps): ReactElement {
  if (form.shape.kind !== "group" || draft.kind !== "group") {
    const whole = { ...form, label: form.label === "" ? messages.form.whole : form.label };
    return <FieldInput field={whole} draft={draft} pointer="" faults={faults} onChange={onChange} />;
  }
  return (
    <>
      {page.members.map(({ field, index, pointer }) => {
        const member = draft.members[index];
        return member === undefined ? null : (
          <FieldInput
            key={pointer}
            field={field}
            draft={member}
            pointer={pointer}
            faults={faults}
            onChange={(next) => {
              onChange(setMember(draft, index, next));
            }}
          />
        );
      })}
    </>
  );
}

function PageTitle({ page, at, of }: { page: Page; at: number; of: number }): ReactElement | null {
  if (of === 1 && page.title === "") return null;
  return (
    <div className={styles["step"]}>
      {of === 1 ? null : <p className={styles["count"]}>{messages.form.page(at + 1, of)}</p>}
      <h3 className={styles["title"]} dir="auto">
        {page.title}
      </h3>
    </div>
  );
}

type Kept = { at: number; draft: Draft };

function useForm(item: Item): { form: Field; pages: readonly Page[] } {
  return useMemo(() => {
    const form = toForm(item.schema ?? true, item.choices);
    return { form, pages: pagesOf(form, item.pages) };
  }, [item.schema, item.choices, item.pages]);
}

function first(form: Field, item: Item): Draft {
  return firstDraft(form, Object.keys(item.values).length === 0 ? undefined : item.values);
}

function revive(form: Field, item: Item, kept: unknown): Kept {
  const { at, draft } = Object(kept) as { at?: unknown; draft?: Parameters<typeof reviveDraft>[1] }; // Checked below.
  return {
    at: typeof at === "number" ? at : 0,
    draft: reviveDraft(form, draft) ?? first(form, item),
  };
}

type ActionsProps = { at: number; of: number; busy: boolean; onBack: () => void };

function Actions({ at, of, busy, onBack }: ActionsProps): ReactElement {
  const isLast = at === of - 1;
  return (
    <>
      {at === 0 ? null : <Button onClick={onBack}>{messages.form.back}</Button>}
      <Button key={isLast ? "send" : "next"} type="submit" look="primary" disabled={busy}>
        {isLast ? messages.answer.send : messages.form.next}
      </Button>
      {isLast ? <SendHint /> : null}
    </>
  );
}

/** A question answered by a form made from its schema, a page at a time where the asker laid out pages. */
export function FormAnswer({ item }: { item: Item }): ReactElement {
  const { form, pages } = useForm(item);
  const [kept, setKept] = useDraft<Kept>(item.interaction_id, (stored) => revive(form, item, stored));
  const [found, setFound] = useState<readonly Fault[]>([]);
  const { busy, failure, send } = useAnswer(item);
  const refused = useMemo(
    () => (failure === undefined ? [] : pinFaults(form, failure.faults)),
    [form, failure],
  );
  const shown = found.length > 0 ? found : refused;
  const faults = useMemo(() => new Map(shown.map(({ pointer, message }) => [pointer, message])), [shown]);
  const at = Math.min(kept.at, pages.length - 1);
  const page = pages[at];

  const show = (problems: readonly Fault[]): void => {
    setFound(problems);
    const [problem] = problems;
    if (problem === undefined) return;
    setKept({ ...kept, at: pageOf(pages, problem.pointer) });
    focusFault(problem.pointer);
  };
  const submit = (): void => {
    const { value, faults: unread } = readDraft(form, kept.draft, "");
    const own = new Set(unread.map(({ pointer }) => pointer));
    const checked = value === undefined ? [] : checkAnswer(form, item.schema ?? true, value);
    const problems = [...unread, ...checked.filter(({ pointer }) => !own.has(pointer))];
    const isLast = at === pages.length - 1;
    const here = isLast
      ? problems
      : problems.filter(({ pointer }) => pageOf(pages, pointer) === at && pointer !== "");
    if (here.length > 0) show(here);
    else if (!isLast) {
      setFound([]);
      setKept({ ...kept, at: at + 1 });
    } else if (value !== undefined && !busy) {
      setFound([]);
      void send({ answer: value });
    }
  };
  if (page === undefined) return <p>{messages.answer.failed}</p>;
  const whole = faults.get("");
  const message = shown.length > 0 ? (whole ?? messages.form.faults(shown.length)) : failure?.message;
  return (
    <AnswerForm
      message={message}
      onSubmit={submit}
      actions={
        <Actions
          at={at}
          of={pages.length}
          busy={busy}
          onBack={() => {
            setKept({ ...kept, at: at - 1 });
          }}
        />
      }
    >
      <PageTitle page={page} at={at} of={pages.length} />
      <PageFields
        form={form}
        page={page}
        draft={kept.draft}
        faults={faults}
        onChange={(draft) => {
          setKept({ at, draft });
        }}
      />
    </AnswerForm>
  );
}
