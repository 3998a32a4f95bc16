import {
  chatMessages,
  type OutgoingNotification,
  type OutgoingQuestion,
  type ShownStep,
  splitText,
} from "@interlude/channel-kit";
import type { FormData, FormPage } from "@interlude/contract";
import { type Field, fieldsOf, type ModelPage, toFields } from "@interlude/forms";
import { isWithin, type JsonObject } from "@interlude/kernel";
import type { Checkboxes, ContextBlock, HeaderBlock, InputBlock, PlainTextOption } from "@slack/types";
import { backButton, plain, sections } from "./blocks.ts";
import { filled } from "./filled-field.ts";
import { writeMetadata } from "./form-metadata.ts";
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

/** A text is what the person put in before. */
const isNumber = (prefill: Field["prefill"]): prefill is number | string =>
  typeof prefill === "number" || (typeof prefill === "string" && /^-?\d+(?:\.\d+)?$/.test(prefill));

function numberElement(field: Field) {
  const { prefill } = field;
  return {
    type: "number_input",
    action_id: ACTION,
    is_decimal_allowed: field.control === "number",
    ...(isNumber(prefill) ? { initial_value: String(prefill) } : {}),
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

const modelPages = (form: SlackForm): readonly ModelPage[] => toFields(form.schema, form).pages;

/** The place of a page's first field. */
function firstPlace(pages: readonly ModelPage[], page: number): number {
  return pages.slice(0, page).reduce((count, { fields }) => count + fields.length, 0);
}

function inputs(fields: readonly Field[], first: number, language: string): JsonObject[] {
  const { yes } = chatMessages(language);
  return fields
    .map((field, index) => inputBlock(field, first + index, yes))
    .filter((block) => block !== undefined);
}

function progress(page: number, pages: number, language: string): JsonObject {
  const words = chatMessages(language).step;
  const text = words.replace("{page}", String(page + 1)).replace("{pages}", String(pages));
  return { type: "context", elements: [plain(text)] } as const satisfies ContextBlock;
}

/** One page of several, which is a step of its own. */
function stepBlocks(form: SlackForm, { page, fields, notice }: ShownStep, language: string): JsonObject[] {
  const pages = modelPages(form);
  const first = firstPlace(pages, page);
  const { title, fields: asked = [] } = pages[page] ?? {};
  const [told] = splitText(notice ?? "", LIMITS.SECTION_MAX_CHARS);
  return [
    ...(told === undefined || told === "" ? [] : sections(told)),
    ...(title === undefined ? [] : heading(title)),
    progress(page, pages.length, language),
    ...inputs(
      asked.map((field, index) => filled(field, first + index, fields)),
      first,
      language,
    ),
    ...(page === 0 ? [] : [backButton(chatMessages(language).back)]),
  ];
}

function wholeBlocks(form: SlackForm, language: string): JsonObject[] {
  return modelPages(form).flatMap(({ title, fields }) => [
    ...(title === undefined ? [] : heading(title)),
    ...inputs(fields, 0, language),
  ]);
}

/** Whether the form can be a modal as a whole: else it is a page. */
export function fitsModal(question: string, form: SlackForm): boolean {
  const pages = modelPages(form);
  if (!pages.flatMap(({ fields }) => fields).every(fieldFits)) return false;
  const views =
    pages.length === 1
      ? [wholeBlocks(form, "en")]
      : pages.map((_, page) => stepBlocks(form, { page, kept: [], notice: "what has to be mended" }, "en"));
  const asking = sections(question).length;
  return views.every((blocks) => asking + blocks.length <= LIMITS.MODAL_BLOCKS_MAX_ITEMS);
}

export type ModalOf = Readonly<{
  question: string;
  reference: string;
  form: SlackForm;
  address: string;
  language: string;
  /** Of a form of several pages; without, its first one. */
  step?: ShownStep;
}>;

/** The modal of a form, or of one of its pages where it has several. */
export function renderModal({ question, reference, form, address, language, step }: ModalOf): JsonObject {
  const say = chatMessages(language);
  const pages = modelPages(form);
  const of = pages.length;
  const shown = step ?? { page: 0, kept: pages.map(() => "") };
  const { page, kept } = shown;
  const at = of === 1 ? {} : { step: { page, of, first: firstPlace(pages, page), kept } };
  const blocks = of === 1 ? wholeBlocks(form, language) : stepBlocks(form, shown, language);
  return {
    type: "modal",
    callback_id: FORM_CALLBACK,
    private_metadata: writeMetadata({ reference, address, ...at }),
    title: plain(say.question),
    submit: plain(page < of - 1 ? say.next : say.send),
    blocks: [...sections(question), ...blocks],
  };
}

/** The block of the field that a fault is about; of the first one shown for a fault that is about none. */
export function faultyBlock(form: SlackForm | undefined, path: string, first: number): string {
  const fields = form === undefined ? [] : fieldsOf(toFields(form.schema, form));
  const place = fields.findIndex(({ pointer: at }) => isWithin(path, at));
  return blockIdOf(place < 0 ? first : place);
}

/** The form of a question, or of a notification that asks for one. */
export function formOf(asked: OutgoingQuestion | OutgoingNotification): SlackForm | undefined {
  if ("message" in asked) return asked.form;
  return asked.format === "form" ? asked : undefined;
}
