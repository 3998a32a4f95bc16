import { useId, type ReactElement, type ReactNode } from "react";
import { messages } from "../messages.ts";
import fields from "../styles/field.module.css";
import { Fault } from "./fault.tsx";

type Props = {
  label: string;
  /** Stands beside the label, outside the control's name. */
  aside?: ReactNode;
  hint?: string | undefined;
  labels: readonly string[];
  at: number;
  fault: string | undefined;
  clearable?: boolean;
  onChoose: (at: number) => void;
};

/** More than these are a list to scroll, not a set to see at once. */
const MAX_RADIOS = 7;

type Wiring = Props & { id: string; describedBy: string | undefined };

function Radios({ id, describedBy, labels, at, fault, clearable, onChoose }: Wiring): ReactElement {
  const shown = clearable === true ? [...labels, messages.form.none] : labels;
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy}
      aria-invalid={fault !== undefined}
      className={fields["choices"]}
    >
      {shown.map((label, index) => (
        <label key={index} className={fields["choice"]}>
          <input
            type="radio"
            name={id}
            checked={index === labels.length ? at === -1 : index === at}
            onChange={() => {
              onChoose(index === labels.length ? -1 : index);
            }}
          />
          <span dir="auto">{label === "" ? "–" : label}</span>
        </label>
      ))}
    </div>
  );
}

/** Options are told apart by their place: values may be empty, or not text at all. */
function Dropdown({ id, describedBy, labels, at, fault, onChoose }: Wiring): ReactElement {
  return (
    <select
      id={id}
      className={fields["input"]}
      aria-describedby={describedBy}
      aria-invalid={fault !== undefined}
      value={at}
      onChange={(event) => {
        onChoose(Number(event.target.value));
      }}
    >
      <option value={-1}>{messages.answer.choose}</option>
      {labels.map((label, index) => (
        <option key={index} value={index}>
          {label === "" ? "–" : label}
        </option>
      ))}
    </select>
  );
}

export function ChoiceInput(props: Props): ReactElement {
  const id = useId();
  const { label, aside, hint, labels, fault } = props;
  const isSmall = labels.length <= MAX_RADIOS;
  const describedBy = [hint === undefined ? "" : `${id}-hint`, fault === undefined ? "" : `${id}-fault`]
    .filter(Boolean)
    .join(" ");
  const wiring = { ...props, id, describedBy: describedBy === "" ? undefined : describedBy };
  return (
    <div className={fields["field"]}>
      <div className={fields["labelRow"]}>
        {isSmall ? (
          <span id={`${id}-label`} className={fields["label"]} dir="auto">
            {label}
          </span>
        ) : (
          <label id={`${id}-label`} htmlFor={id} className={fields["label"]} dir="auto">
            {label}
          </label>
        )}
        {aside}
      </div>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className={fields["hint"]}>
          {hint}
        </p>
      )}
      {isSmall ? <Radios {...wiring} /> : <Dropdown {...wiring} />}
      <Fault id={`${id}-fault`} message={fault} />
    </div>
  );
}
