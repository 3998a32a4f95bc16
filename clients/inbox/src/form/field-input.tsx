import { useId, type ReactElement } from "react";
import fields from "../styles/field.module.css";
import { ChoiceInput } from "../ui/choice-input.tsx";
import { Fault } from "../ui/fault.tsx";
import type { Draft } from "./draft.ts";
import { GroupInput } from "./group-input.tsx";
import { type InputProps, Optional } from "./input-props.tsx";
import { ListInput } from "./list-input.tsx";
import { TextInput } from "./text-input.tsx";

type Of<Kind extends Draft["kind"]> = InputProps<Draft & { kind: Kind }>;

function FlagInput({ field, draft, pointer, faults, onChange }: Of<"flag">): ReactElement {
  const id = useId();
  const fault = faults.get(pointer);
  return (
    <div className={fields["field"]}>
      <label className={fields["flag"]}>
        <input
          type="checkbox"
          checked={draft.on}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-about`}
          onChange={(event) => {
            onChange({ kind: "flag", on: event.target.checked });
          }}
        />
        <span dir="auto">{field.label}</span>
      </label>
      <div id={`${id}-about`}>
        {field.help === undefined ? null : <p className={fields["hint"]}>{field.help}</p>}
        <Fault message={fault} />
      </div>
    </div>
  );
}

function OneOf({ field, draft, pointer, faults, onChange }: Of<"choice">): ReactElement | null {
  if (field.shape.kind !== "choice") return null;
  return (
    <ChoiceInput
      label={field.label}
      aside={<Optional field={field} />}
      hint={field.help}
      labels={field.shape.choices.map((choice) => choice.label)}
      at={draft.at}
      fault={faults.get(pointer)}
      clearable={!field.required}
      onChoose={(at) => {
        onChange({ kind: "choice", at });
      }}
    />
  );
}

function SomeOf({ field, draft, pointer, faults, onChange }: Of<"choices">): ReactElement | null {
  if (field.shape.kind !== "choices") return null;
  const toggle = (at: number): void => {
    onChange({
      kind: "choices",
      at: draft.at.includes(at) ? draft.at.filter((known) => known !== at) : [...draft.at, at],
    });
  };
  return (
    <fieldset className={fields["field"]}>
      <legend className={fields["label"]} dir="auto">
        {field.label}
      </legend>
      <Optional field={field} />
      {field.help === undefined ? null : <p className={fields["hint"]}>{field.help}</p>}
      <div className={fields["choices"]}>
        {field.shape.choices.map((choice, index) => (
          <label key={index} className={fields["choice"]}>
            <input
              type="checkbox"
              checked={draft.at.includes(index)}
              onChange={() => {
                toggle(index);
              }}
            />
            <span dir="auto">{choice.label}</span>
          </label>
        ))}
      </div>
      <Fault message={faults.get(pointer)} />
    </fieldset>
  );
}

function Control({ draft, ...rest }: InputProps): ReactElement {
  switch (draft.kind) {
    case "text":
      return <TextInput {...rest} draft={draft} />;
    case "flag":
      return <FlagInput {...rest} draft={draft} />;
    case "choice":
      return <OneOf {...rest} draft={draft} />;
    case "choices":
      return <SomeOf {...rest} draft={draft} />;
    case "group":
      return <GroupInput {...rest} draft={draft} Input={FieldInput} />;
    case "list":
      return <ListInput {...rest} draft={draft} Input={FieldInput} />;
  }
}

export function FieldInput(props: InputProps): ReactElement {
  return (
    <div data-pointer={props.pointer}>
      <Control {...props} />
    </div>
  );
}
