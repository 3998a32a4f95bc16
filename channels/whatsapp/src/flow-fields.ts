import { chatMessages } from "@interlude/channel-kit";
import { hasVisible } from "@interlude/contract";
import type { Field } from "@interlude/forms";
import type { Json, JsonObject } from "@interlude/kernel";
import { LIMITS } from "./limits.ts";

export type FlowChoice = Readonly<{ id: string; title: string }>;

/** A field as a Flow asks for it. */
export type FlowField = Readonly<{
  name: string;
  components: readonly JsonObject[];
  /** What its value is, where another screen is handed it. */
  type: "string" | "boolean";
  /** What it holds at first, in this ask. */
  initial?: string | boolean;
  /** What it offers in this ask alone. */
  choices?: readonly FlowChoice[];
}>;

/** Of a field with choices the answer is a place among them, which its name says. */
const nameOf = ({ control }: Field, place: number): string =>
  `${control === "select" ? "choice" : "field"}_${place}`;

/** A component under a label of its own, or under a text where the label is too long for it. */
function labelled(label: string, max: number, language: string, component: JsonObject): JsonObject[] {
  if (label.length <= max) return [{ ...component, label }];
  const { answer } = chatMessages(language);
  return [
    { type: "TextBody", text: label },
    { ...component, label: answer },
  ];
}

function textComponent(field: Field): JsonObject | undefined {
  const { minLength = 0, control } = field;
  // Whoever sets no bound gets the most that there is: it takes what people write in a chat.
  const { maxLength = LIMITS.FLOW_AREA_MAX_CHARS } = field;
  // What takes less than the schema says would cut off the person.
  if (Math.max(minLength, maxLength) > LIMITS.FLOW_AREA_MAX_CHARS) return undefined;
  if (control === "textarea" || maxLength > LIMITS.FLOW_INPUT_MAX_CHARS) return { type: "TextArea" };
  return { type: "TextInput", "input-type": "text" };
}

const choicesOf = (field: Field): FlowChoice[] =>
  (field.options ?? []).map(({ label }, index) => ({ id: String(index), title: label }));

function dropdown(field: Field): JsonObject | undefined {
  const options = field.options ?? [];
  const fits =
    options.length <= LIMITS.FLOW_OPTIONS_MAX_ITEMS &&
    options.every(({ label }) => hasVisible(label) && label.length <= LIMITS.FLOW_OPTION_MAX_CHARS);
  return fits ? { type: "Dropdown", "data-source": choicesOf(field) } : undefined;
}

function inputOf(field: Field): { component: JsonObject | undefined; labelMax: number } {
  const labelMax = LIMITS.FLOW_LABEL_MAX_CHARS;
  switch (field.control) {
    case "text":
    case "textarea":
    case "email":
    case "url":
      return { component: textComponent(field), labelMax };
    case "time":
    case "datetime":
      return { component: { type: "TextInput", "input-type": "text" }, labelMax };
    case "number":
    case "integer":
      return { component: { type: "TextInput", "input-type": "number" }, labelMax };
    case "select":
      return { component: dropdown(field), labelMax };
    case "date":
      return { component: { type: "DatePicker" }, labelMax: LIMITS.FLOW_DATE_LABEL_MAX_CHARS };
    case "checkbox":
      return { component: { type: "OptIn" }, labelMax: LIMITS.FLOW_BOX_LABEL_MAX_CHARS };
    case "multiselect":
    case "group":
    case "list":
    case "json":
      return { component: undefined, labelMax };
  }
}

function describe(text: string): JsonObject {
  return { type: text.length <= LIMITS.FLOW_CAPTION_MAX_CHARS ? "TextCaption" : "TextBody", text };
}

/** What the field holds at first; `null`: what a Flow has no way to hold. */
function initialOf(field: Field): string | boolean | null | undefined {
  const { prefill, control, options = [] } = field;
  if (prefill === undefined) return undefined;
  if (control === "checkbox") return typeof prefill === "boolean" ? prefill : null;
  if (control === "number" || control === "integer") {
    return typeof prefill === "number" ? String(prefill) : null;
  }
  if (typeof prefill !== "string") return null;
  if (control === "select") {
    const place = options.findIndex(({ value }) => value === prefill);
    return place < 0 ? null : String(place);
  }
  if (control === "date") return /^\d{4}-\d{2}-\d{2}$/.test(prefill) ? prefill : null;
  return prefill.length <= longest(field) ? prefill : null;
}

function longest(field: Field): number {
  return textComponent(field)?.["type"] === "TextArea"
    ? LIMITS.FLOW_AREA_MAX_CHARS
    : LIMITS.FLOW_INPUT_MAX_CHARS;
}

export type AskedField = Readonly<{ field: Field; place: number; isPerSend: boolean; language: string }>;

/** What a field is asked with; undefined where a Flow has nothing for it. */
export function flowField({ field, place, isPerSend, language }: AskedField): FlowField | undefined {
  const { component, labelMax } = inputOf(field);
  const { label, description, required, control } = field;
  const initial = initialOf(field);
  const words = [label, description ?? label];
  const areShort = words.every((text) => hasVisible(text) && text.length <= LIMITS.FLOW_BODY_MAX_CHARS);
  if (component === undefined || !areShort || initial === null) return undefined;
  const name = nameOf(field, place);
  const source = isPerSend ? { "data-source": `\${data.${optionsName(name)}}` } : {};
  // A box that has to be ticked could not be answered with no.
  const named = { ...component, ...source, name, required: required && control !== "checkbox" };
  const components = [
    ...(description === undefined ? [] : [describe(description)]),
    ...labelled(label, labelMax, language, named),
  ];
  return {
    ...{ name, components, type: control === "checkbox" ? "boolean" : "string" },
    ...(initial === undefined ? {} : { initial }),
    ...(isPerSend ? { choices: choicesOf(field) } : {}),
  };
}

/** What a field's choices of one ask are called among a screen's data. */
export const optionsName = (name: string): string => `options_${name}`;

/** What a screen's data says of itself: its type, with an example, which Meta wants. */
export function declared(type: "string" | "boolean"): JsonObject {
  return { type, __example__: type === "boolean" ? true : "Example" };
}

const CHOICE = { id: { type: "string" }, title: { type: "string" } } as const;

export const DECLARED_CHOICES: Json = {
  type: "array",
  items: { type: "object", properties: CHOICE },
  __example__: [{ id: "0", title: "Example" }],
};
