import { useId, type ComponentProps, type ReactElement } from "react";
import { messages } from "../messages.ts";
import fields from "../styles/field.module.css";
import { cx } from "../ui/cx.ts";
import { Fault } from "../ui/fault.tsx";
import { toLocal, toOffset, ZONE } from "./date-time.ts";
import type { Draft } from "./draft.ts";
import { Optional, type InputProps } from "./input-props.tsx";
import type { Field } from "./field.ts";

type Props = InputProps<Draft & { kind: "text" }>;

const NATIVE = ["email", "url", "date"] as const;

/** Long prefills, or those with lines, are not squeezed into one line. */
const LONG = 80;

function isArea(field: Field, text: string): boolean {
  if (field.shape.kind === "raw") return true;
  return (
    field.shape.kind === "text" &&
    (field.shape.input === "area" ||
      (field.shape.input === "line" && (text.includes("\n") || text.length > LONG)))
  );
}

/** No `maxlength`, `required` or `type=number`: browsers count and read otherwise than the contract does. */
function attributes(field: Field): ComponentProps<"input"> {
  if (field.shape.kind === "number")
    return { type: "text", inputMode: field.shape.integer ? "numeric" : "decimal", autoComplete: "off" };
  const input = field.shape.kind === "text" ? field.shape.input : "line";
  return { type: NATIVE.find((type) => type === input) ?? "text" };
}

function isShort(field: Field): boolean {
  if (field.shape.kind === "number") return true;
  return field.shape.kind === "text" && ["date", "date-time", "time"].includes(field.shape.input);
}

type ControlProps = {
  field: Field;
  text: string;
  shared: { id: string; "aria-invalid": boolean; "aria-describedby": string | undefined; className: string };
  onText: (text: string) => void;
};

function Control({ field, text, shared, onText }: ControlProps): ReactElement {
  const isMoment = field.shape.kind === "text" && field.shape.input === "date-time";
  const local = isMoment ? toLocal(text) : undefined;
  if (isArea(field, text))
    return (
      <textarea
        {...shared}
        dir="auto"
        spellCheck={field.shape.kind !== "raw"}
        value={text}
        onChange={(event) => {
          onText(event.target.value);
        }}
      />
    );
  return (
    <input
      {...shared}
      {...attributes(field)}
      {...(local === undefined ? { dir: "auto" } : { type: "datetime-local", step: "any" })}
      value={local ?? text}
      onChange={(event) => {
        onText(local === undefined ? event.target.value : toOffset(event.target.value));
      }}
    />
  );
}

export function TextInput({ field, draft, pointer, faults, onChange }: Props): ReactElement {
  const id = useId();
  const fault = faults.get(pointer);
  const isMoment = field.shape.kind === "text" && field.shape.input === "date-time";
  const hints = [field.help, isMoment ? messages.form.timeZone(ZONE) : undefined].filter(Boolean).join(" ");
  const shared = {
    id,
    "aria-invalid": fault !== undefined,
    "aria-describedby": hints === "" && fault === undefined ? undefined : `${id}-hint ${id}-fault`,
    className: cx(
      fields["input"],
      isShort(field) && fields["short"],
      field.shape.kind === "raw" && fields["code"],
    ),
  };
  return (
    <div className={fields["field"]}>
      <div className={fields["labelRow"]}>
        <label className={fields["label"]} htmlFor={id} dir="auto">
          {field.label}
        </label>
        {field.shape.kind === "raw" ? <span className={fields["hint"]}>{messages.form.jsonHint}</span> : null}
        <Optional field={field} />
      </div>
      <Control
        field={field}
        text={draft.text}
        shared={shared}
        onText={(text) => {
          onChange({ ...draft, text });
        }}
      />
      {hints === "" ? null : (
        <p id={`${id}-hint`} className={fields["hint"]}>
          {hints}
        </p>
      )}
      <Fault id={`${id}-fault`} message={fault} />
    </div>
  );
}
