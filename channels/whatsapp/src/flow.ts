import { chatMessages, optionToken } from "@interlude/channel-kit";
import { type FormData, type FormPage, hasVisible } from "@interlude/contract";
import { type Field, fieldsOf, toFields } from "@interlude/forms";
import { type JsonObject, sha256Base64Url } from "@interlude/kernel";
import { LIMITS } from "./limits.ts";

export type FlowForm = Readonly<{ schema: JsonObject; data?: FormData; pages?: readonly FormPage[] }>;

/** The one whose pages the limits come from (flows/reference/flowjson). */
const VERSION = "7.0";
const SCREEN = "FORM";

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

function dropdown(field: Field): JsonObject | undefined {
  const options = field.options ?? [];
  const fits =
    options.length <= LIMITS.FLOW_OPTIONS_MAX_ITEMS &&
    options.every(({ label }) => hasVisible(label) && label.length <= LIMITS.FLOW_OPTION_MAX_CHARS);
  const source = options.map(({ label }, index) => ({ id: String(index), title: label }));
  return fits ? { type: "Dropdown", "data-source": source } : undefined;
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

/** What a field is asked with; undefined where a Flow has nothing for it. */
function components(field: Field, place: number, language: string): JsonObject[] | undefined {
  const { component, labelMax } = inputOf(field);
  const { label, description, required, control, prefill } = field;
  const words = [label, description ?? label];
  const areShort = words.every((text) => hasVisible(text) && text.length <= LIMITS.FLOW_BODY_MAX_CHARS);
  // A default would have to be told in each component's own way; the page has them all.
  if (component === undefined || !areShort || prefill !== undefined) return undefined;
  // A box that has to be ticked could not be answered with no.
  const named = { ...component, name: nameOf(field, place), required: required && control !== "checkbox" };
  return [
    ...(description === undefined ? [] : [describe(description)]),
    ...labelled(label, labelMax, language, named),
  ];
}

function heading(title: string): JsonObject {
  return { type: title.length <= LIMITS.FLOW_HEADING_MAX_CHARS ? "TextHeading" : "TextBody", text: title };
}

function childrenOf(form: FlowForm, language: string): JsonObject[] | undefined {
  let place = 0;
  const children: JsonObject[] = [];
  for (const { title, fields } of toFields(form.schema, form).pages) {
    if (title !== undefined) children.push(heading(title));
    for (const field of fields) {
      const made = components(field, place++, language);
      if (made === undefined) return undefined;
      children.push(...made);
    }
  }
  return children;
}

function footer(form: FlowForm, language: string): JsonObject {
  const names = fieldsOf(toFields(form.schema, form)).map(nameOf);
  const payload = Object.fromEntries(names.map((name) => [name, `\${form.${name}}`]));
  const action = { name: "complete", payload };
  return { type: "Footer", label: chatMessages(language).send, "on-click-action": action };
}

function screenOf(children: readonly JsonObject[], language: string): JsonObject {
  const form = { type: "Form", name: "form", children };
  return {
    id: SCREEN,
    title: chatMessages(language).question,
    terminal: true,
    layout: { type: "SingleColumnLayout", children: [form] },
  };
}

/**
 * The Flow of a form, by a name that says what is in it; undefined for a form that is a page. A published
 * Flow stays for ever, so a form with data for this one ask has none.
 */
export function flowOf(form: FlowForm, language: string): { name: string; json: string } | undefined {
  if (form.data !== undefined) return undefined;
  const children = childrenOf(form, language);
  if (children === undefined || children.length >= LIMITS.FLOW_COMPONENTS_MAX_ITEMS) return undefined;
  const boxes = children.filter(({ type }) => type === "OptIn").length;
  // Whatever stands in ${…} would be looked up.
  if (boxes > LIMITS.FLOW_BOXES_MAX_ITEMS || JSON.stringify(children).includes("${")) return undefined;
  const screens = [screenOf([...children, footer(form, language)], language)];
  const json = JSON.stringify({ version: VERSION, screens });
  return { name: `interlude_${sha256Base64Url(json)}`, json };
}

/** What opens a Flow; what is put in comes back with the token. */
export function flowControls(reference: string, name: string, cta: string): JsonObject {
  const parameters = {
    flow_message_version: "3",
    flow_token: optionToken(reference, "form"),
    flow_name: name,
    flow_cta: cta,
    flow_action: "navigate",
    flow_action_payload: { screen: SCREEN },
  };
  return { type: "flow", action: { name: "flow", parameters } };
}
