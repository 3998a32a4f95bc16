import type { Json } from "@interlude/kernel";
import type { Field, FieldOption } from "./field.ts";
import { attributes, markup, type Attributes, type Html } from "./html.ts";
import { optionTexts, parseOptionText, unchosenText } from "./option-value.ts";
import type { PageMessages } from "./page-messages.ts";

/** What a field shows and how it is wired to its label, hint and fault. */
export type ControlState = {
  readonly id: string;
  /** What stands in it: typed before, or prefilled; `undefined` for nothing. */
  readonly shown: string | undefined;
  readonly describedBy: string | undefined;
  readonly isFaulty: boolean;
};

/** The text a value is shown as, which typing turns back into the same value. */
export function shownText(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function renderControl(field: Field, state: ControlState, messages: PageMessages): Html {
  const wired = {
    id: state.id,
    name: field.name,
    "aria-describedby": state.describedBy,
    "aria-invalid": state.isFaulty ? "true" : undefined,
  };
  switch (field.control) {
    case "select":
      return renderSelect(field, field.options ?? [], state.shown, wired, messages);
    case "checkbox": {
      // Never required: a box left unticked is an answer.
      const box = { type: "checkbox", ...wired, value: "true", checked: state.shown === "true" };
      return markup`<input${attributes(box)}>`;
    }
    case "textarea":
    case "multiselect":
    case "group":
    case "list":
    case "json":
      // A parser drops one line break after the tag, so that one is always there to be dropped.
      return markup`<textarea${attributes({ rows: "5", ...wired, required: field.required })}>\n${state.shown}</textarea>`;
    case "text":
    case "email":
    case "url":
    case "date":
    case "time":
    case "datetime":
    case "number":
    case "integer": {
      const line = { ...inputKind(field, state.shown), ...wired, required: field.required };
      return markup`<input${attributes({ ...line, value: state.shown ?? "", autocomplete: "off" })}>`;
    }
  }
}

/**
 * Numbers are typed as text: a number control keeps `2,5` to itself and sends nothing. No `maxlength`, for it
 * counts UTF-16 units.
 */
function inputKind(field: Field, shown: string | undefined): Attributes {
  const plain = { autocapitalize: "none", spellcheck: "false" };
  // The digits-only keyboard of some phones has no minus sign.
  const isPositive = field.minimum !== undefined && field.minimum >= 0;
  if (field.control === "number") return { type: "text", inputmode: isPositive ? "decimal" : undefined };
  if (field.control === "integer") return { type: "text", inputmode: isPositive ? "numeric" : undefined };
  if (field.control === "email" || field.control === "url") {
    return { type: "text", inputmode: field.control, ...plain };
  }
  // A date control drops what it does not take for a date, and what was typed must be shown again.
  return { type: field.control === "date" && isControlDate(shown) ? "date" : "text" };
}

function isControlDate(shown: string | undefined): boolean {
  return (
    shown === undefined || shown === "" || (/^\d{4}-\d{2}-\d{2}$/.test(shown) && !shown.startsWith("0000"))
  );
}

function renderSelect(
  field: Field,
  options: readonly FieldOption[],
  shown: string | undefined,
  wired: Attributes,
  messages: PageMessages,
): Html {
  const unchosen = unchosenText(options);
  const texts = optionTexts(options);
  const chosen = chosenIndex(field, options, shown);
  const none = field.required ? messages.chooseOne : messages.noChoice;
  // `required` takes an empty value for no choice, which it is not where '' can be chosen.
  const must = unchosen === "" ? { required: field.required } : { "aria-required": field.required && "true" };
  const rows = options.map(({ label }, index) => {
    const row = attributes({ value: texts[index], selected: index === chosen });
    return markup`<option${row}>${visible(label)}</option>`;
  });
  const first = attributes({ value: unchosen, selected: chosen === -1 });
  return markup`<select${attributes({ ...wired, ...must })}><option${first}>${none}</option>${rows}</select>`;
}

/** Exactly what is prefilled, else what was sent. */
function chosenIndex(field: Field, options: readonly FieldOption[], shown: string | undefined): number {
  if (shown === undefined) return -1;
  const isUntouched = shown === shownText(field.prefill);
  const value = isUntouched ? field.prefill : parseOptionText(options, shown);
  return options.findIndex((option) => option.value === value);
}

/** An option without visible text could not be told from a gap. */
function visible(label: string): string {
  return label.trim() === "" ? "—" : label;
}
