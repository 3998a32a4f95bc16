import type { ReactElement } from "react";
import { messages } from "../messages.ts";
import fields from "../styles/field.module.css";
import { Button } from "../ui/button.tsx";
import { Fault } from "../ui/fault.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Draft } from "./draft.ts";
import { type NestingProps, Optional } from "./input-props.tsx";
import styles from "./nested.module.css";
import { pointerTo } from "./read-draft.ts";

type Props = NestingProps<Draft & { kind: "group" }>;

function Members({ field, draft, pointer, faults, onChange, Input }: Props): ReactElement | null {
  if (field.shape.kind !== "group") return null;
  return (
    <div className={styles["members"]}>
      {field.shape.fields.map((member, index) => {
        const known = draft.members[index];
        const at = pointerTo(pointer, member.name);
        return known === undefined ? null : (
          <Input
            key={at}
            field={member}
            draft={known}
            pointer={at}
            faults={faults}
            onChange={(next) => {
              onChange({
                ...draft,
                members: draft.members.map((old, place) => (place === index ? next : old)),
              });
            }}
          />
        );
      })}
    </div>
  );
}

/** A group that need not be there is added first: its own required fields count only then. */
export function GroupInput(props: Props): ReactElement {
  const { field, draft, pointer, faults, onChange } = props;
  const setPresent = (present: boolean): void => {
    onChange({ ...draft, present });
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
      {draft.present ? <Members {...props} /> : null}
      <Fault message={faults.get(pointer)} />
      {field.required ? null : (
        <div>
          <Button
            look="quiet"
            className={styles["add"]}
            onClick={() => {
              setPresent(!draft.present);
            }}
          >
            <Icon name={draft.present ? "cross" : "plus"} />
            {draft.present ? messages.form.remove(field.label) : messages.form.add(field.label)}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
