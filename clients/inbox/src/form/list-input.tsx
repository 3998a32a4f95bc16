import type { ReactElement } from "react";
import { messages } from "../messages.ts";
import fields from "../styles/field.module.css";
import { Button } from "../ui/button.tsx";
import { Fault } from "../ui/fault.tsx";
import { Icon } from "../ui/icon.tsx";
import { firstDraft, type Draft } from "./draft.ts";
import { type NestingProps, Optional } from "./input-props.tsx";
import type { Field } from "./field.ts";
import styles from "./nested.module.css";
import { pointerTo } from "./read-draft.ts";

type Props = NestingProps<Draft & { kind: "list" }>;

function entryField(list: Field, entry: Field, index: number): Field {
  const label = entry.label === "" ? list.label : entry.label;
  return { ...entry, label: messages.form.entry(label, index + 1) };
}

export function ListInput({ field, draft, pointer, faults, onChange, Input }: Props): ReactElement | null {
  if (field.shape.kind !== "list") return null;
  const { entry } = field.shape;
  const add = (): void => {
    const key = Math.max(-1, ...draft.entries.map((known) => known.key)) + 1;
    onChange({ ...draft, entries: [...draft.entries, { key, draft: firstDraft(entry, undefined) }] });
  };
  return (
    <fieldset className={styles["group"]}>
      <legend>
        <span className={fields["label"]} dir="auto">
          {field.label}
        </span>
      </legend>
      <Optional field={field} />
      {field.help === undefined ? null : <p className={fields["hint"]}>{field.help}</p>}
      {draft.entries.length === 0 ? null : (
        <ol className={styles["entries"]}>
          {draft.entries.map((known, index) => {
            const shown = entryField(field, entry, index);
            return (
              <li key={known.key} className={styles["entry"]}>
                <Input
                  field={shown}
                  draft={known.draft}
                  pointer={pointerTo(pointer, index)}
                  faults={faults}
                  onChange={(next) => {
                    onChange({
                      ...draft,
                      entries: draft.entries.map((old) =>
                        old.key === known.key ? { ...old, draft: next } : old,
                      ),
                    });
                  }}
                />
                <Button
                  look="quiet"
                  className={styles["remove"]}
                  aria-label={messages.form.remove(shown.label)}
                  onClick={() => {
                    onChange({ ...draft, entries: draft.entries.filter((old) => old.key !== known.key) });
                  }}
                >
                  <Icon name="cross" />
                </Button>
              </li>
            );
          })}
        </ol>
      )}
      <Fault message={faults.get(pointer)} />
      <div>
        <Button onClick={add} aria-label={messages.form.add(field.label)}>
          <Icon name="plus" />
          {messages.form.addEntry}
        </Button>
      </div>
    </fieldset>
  );
}
