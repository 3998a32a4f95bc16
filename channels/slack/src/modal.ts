import { chatMessages, type OutgoingNotification, type OutgoingQuestion } from "@interlude/channel-kit";
import type { FormData, FormPage } from "@interlude/contract";
import { type Field, fieldsOf, toFields } from "@interlude/forms";
import type { JsonObject } from "@interlude/kernel";
import type { Checkboxes, HeaderBlock, InputBlock, PlainTextOption } from "@slack/types";
import { plain, sections } from "./blocks.ts";
import { LIMITS } from "./limits.ts";

export type SlackForm = Readonly<{ schema: JsonObject; data?: FormData; pages?: readonly FormPage[] }>;

export const FORM_CALLBACK = "interlude_form";
const ACTION = "value";

export const blockIdOf = (place: number): string => `field_${place}`;

function choicesElement(field: Field) {
  const options = (field.options ?? []).map(
    ({ label }, index) => ({ text: plain(label), value: String(index) }) satisfies PlainTextOption,
  );
  const chosen = options[field.options?.findIndex(({ value }) => value === field.prefill) ?? -1];
  return {
    type: "static_select",
    action_id: ACTION,
    options,
    ...(chosen === undefined ? {} : { initial_option: chosen }),
  } as const;
}

function boxElement(field: Field, label: string) {
  const ticked = { text: plain(label), value: "true" } satisfies PlainTextOption;
  return {
    type: "checkboxes",
    action_id: ACTION,
    options: [ticked],
    ...(field.prefill === true ? { initial_options: [ticked] } : {}),
  } satisfies Checkboxes;
}

function numberElement(field: Field) {
  const { prefill } = field;
  return {
    type: "number_input",
    action_id: ACTION,
    is_decimal_allowed: field.control === "number",
    ...(typeof prefill === "number" ? { initial_value: String(prefill) } : {}),
  } as const;
}

/** Without Slack's own bounds: it counts characters in another way than the schema does. */
function textElement(field: Field) {
  const { prefill } = field;
  return {
    type: "plain_text_input",
    action_id: ACTION,
    multiline: field.control === "textarea",
    ...(typeof prefill === "string" && prefill !== "" ? { initial_value: prefill } : {}),
  } as const;
}

function dateElement({ prefill }: Field) {
  const isDate = typeof prefill === "string" && /^\d{4}-\d{2}-\d{2}$/.test(prefill);
  return { type: "datepicker", action_id: ACTION, ...(isDate ? { initial_date: prefill } : {}) } as const;
}

/** What a field is asked with; undefined where Slack has nothing for it. */
function elementOf(field: Field, yes: string) {
  switch (field.control) {
    case "text":
    case "textarea":
    case "email":
    case "url":
    case "time":
    case "datetime":
      return textElement(field);
    case "date":
      return dateElement(field);
    case "number":
    case "integer":
      return numberElement(field);
    case "checkbox":
      return boxElement(field, yes);
    case "select":
      return choicesElement(field);
    case "multiselect":
    case "group":
    case "list":
    case "json":
      return undefined;
  }
}

function inputBlock(field: Field, place: number, yes: string): JsonObject | undefined {
  const element = elementOf(field, yes);
  if (element === undefined) return undefined;
  return {
    type: "input",
    block_id: blockIdOf(place),
    label: plain(field.label),
    element,
    // A box that has to be ticked could not be answered with no.
    optional: !field.required || field.control === "checkbox",
    ...(field.description === undefined ? {} : { hint: plain(field.description) }),
  } as const satisfies InputBlock;
}

function heading(title: string): JsonObject[] {
  if (title.length > LIMITS.HEADER_MAX_CHARS) return sections(title);
  return [{ type: "header", text: plain(title) } as const satisfies HeaderBlock];
}

function fieldFits(field: Field): boolean {
  const { label, description = "", options = [], prefill, minLength = 0 } = field;
  const areOptionsShort =
    options.length <= LIMITS.SELECT_MAX_ITEMS &&
    options.every((option) => option.label !== "" && option.label.length <= LIMITS.OPTION_MAX_CHARS);
  const isTextShort =
    minLength <= LIMITS.INPUT_MAX_CHARS &&
    (typeof prefill !== "string" || field.control === "select" || prefill.length <= LIMITS.INPUT_MAX_CHARS);
  const areWordsShort =
    label.length <= LIMITS.LABEL_MAX_CHARS && description.length <= LIMITS.LABEL_MAX_CHARS;
  return areOptionsShort && isTextShort && areWordsShort && elementOf(field, "Yes") !== undefined;
}

function modalBlocks(question: string, form: SlackForm, language: string): JsonObject[] {
  const { pages } = toFields(form.schema, form);
  const { yes } = chatMessages(language);
  let place = 0;
  const fields = pages.flatMap(({ title, fields }) => [
    ...(title === undefined ? [] : heading(title)),
    ...fields.map((field) => inputBlock(field, place++, yes)),
  ]);
  return [...sections(question), ...fields.filter((block) => block !== undefined)];
}

/** Whether the form can be a modal as a whole: else it is a page. */
export function fitsModal(question: string, form: SlackForm): boolean {
  const fields = fieldsOf(toFields(form.schema, form));
  if (!fields.every(fieldFits)) return false;
  return modalBlocks(question, form, "en").length <= LIMITS.MODAL_BLOCKS_MAX_ITEMS;
}

/** The modal of a form. It comes back with what it belongs to, since Slack does not say where it was opened. */
export function renderModal(
  { question, reference, form }: { question: string; reference: string; form: SlackForm },
  address: string,
  language: string,
): JsonObject {
  const say = chatMessages(language);
  return {
    type: "modal",
    callback_id: FORM_CALLBACK,
    private_metadata: `${reference} ${address}`,
    title: plain(say.question),
    submit: plain(say.send),
    blocks: modalBlocks(question, form, language),
  };
}

/** The block of the field that a fault is about; of the first field for one that is about none. */
export function faultyBlock(form: SlackForm, path: string): string {
  const fields = fieldsOf(toFields(form.schema, form));
  const place = fields.findIndex(({ pointer: at }) => path === at || path.startsWith(`${at}/`));
  return blockIdOf(Math.max(place, 0));
}

/** The form of a question, or of a notification that asks for one. */
export function formOf(asked: OutgoingQuestion | OutgoingNotification): SlackForm | undefined {
  if ("message" in asked) return asked.form;
  return asked.format === "form" ? asked : undefined;
}
