import type { FieldFault } from "@interlude/contract";
import { isWithin, type Json } from "@interlude/kernel";
import type { Field, FormModel } from "./field.ts";
import { attributes, markup, type Html } from "./html.ts";
import { pageMessages, type PageMessages } from "./page-messages.ts";
import { renderControl, shownText } from "./render-control.ts";
import { fieldsOf, type FormEntries } from "./type-submission.ts";

export type FormView = {
  readonly model: FormModel;
  /** What was sent and refused: shown again as it was typed. Without it, the prefill is shown. */
  readonly submitted?: FormEntries;
  /** Paths start at the answer. */
  readonly faults?: readonly FieldFault[];
  readonly language: string;
  /** Where it is posted to; its own address where nothing is said. */
  readonly action?: string;
};

type Context = {
  readonly messages: PageMessages;
  readonly submitted: ReadonlyMap<string, string> | undefined;
  readonly ids: ReadonlyMap<Field, string>;
  readonly faults: ReadonlyMap<Field, readonly string[]>;
};

/** The form without a page around it. Every page of it is shown at once. */
export function renderForm(view: FormView): Html {
  const fields = fieldsOf(view.model);
  const context: Context = {
    messages: pageMessages(view.language),
    submitted: view.submitted === undefined ? undefined : new Map(view.submitted),
    ids: new Map(fields.map((field, index) => [field, `f${index}`])),
    faults: pinFaults(fields, view.faults ?? []),
  };
  const sections = view.model.pages.map(({ title, fields: shown }) => {
    const rows = shown.map((field) => renderField(field, context));
    return title === undefined ? rows : markup`<fieldset><legend>${title}</legend>${rows}</fieldset>`;
  });
  const send = markup`<p class="actions"><button type="submit">${context.messages.send}</button></p>`;
  // The server checks and says what is missing; a browser's own check would block without a word of ours.
  const form = markup`<form${attributes({ method: "post", action: view.action, novalidate: true })}>${sections}${send}</form>`;
  return markup`${renderSummary(fields, view.faults ?? [], context)}${form}`;
}

/** Each fault goes to the field it is about or inside of. */
function pinFaults(fields: readonly Field[], faults: readonly FieldFault[]): Map<Field, string[]> {
  const pinned = new Map<Field, string[]>();
  for (const fault of faults) {
    const field = fieldOf(fields, fault);
    if (field !== undefined) pinned.set(field, [...(pinned.get(field) ?? []), said(field, fault)]);
  }
  return pinned;
}

function fieldOf(fields: readonly Field[], { path }: FieldFault): Field | undefined {
  return fields.find((field) => isWithin(path, field.pointer));
}

/** People know a field by its label. */
function said(field: Field, { message }: FieldFault): string {
  const name = `${field.name} `;
  if (field.control === "checkbox" && message === `${name}must be true`)
    return `${field.label} must be ticked`;
  return message.startsWith(name) ? `${field.label} ${message.slice(name.length)}` : message;
}

function renderSummary(fields: readonly Field[], faults: readonly FieldFault[], context: Context): Html {
  if (faults.length === 0) return markup``;
  const items = faults.map((fault) => {
    const field = fieldOf(fields, fault);
    if (field === undefined) return markup`<li>${fault.message}</li>`;
    const link = attributes({ href: `#${context.ids.get(field) ?? ""}` });
    return markup`<li><a${link}>${said(field, fault)}</a></li>`;
  });
  const title = context.messages.faultsTitle;
  return markup`<div class="summary" role="alert"><h2>${title}</h2><ul>${items}</ul></div>`;
}

type Note = { readonly kind: "hint" | "fault"; readonly id: string; readonly text: string };

function renderField(field: Field, context: Context): Html {
  const id = context.ids.get(field) ?? "";
  const { messages } = context;
  const faults = context.faults.get(field) ?? [];
  const notes = notesOf(field, id, faults, messages);
  const isFaulty = faults.length > 0;
  const describedBy = notes.length === 0 ? undefined : notes.map((note) => note.id).join(" ");
  const shown = shownIn(field, context.submitted);
  const control = renderControl(field, { id, shown, describedBy, isFaulty }, messages);
  const mark = isMarked(field) && markup` <span class="required">${messages.required}</span>`;
  const label = markup`<label${attributes({ for: id })}>${visibleLabel(field)}${mark}</label>`;
  const said = notes.map(
    (note) => markup`<p${attributes({ class: note.kind, id: note.id })}>${note.text}</p>`,
  );
  const isBox = field.control === "checkbox";
  const row = attributes({
    class: ["field", isFaulty && "faulty", isBox && "box"].filter(Boolean).join(" "),
  });
  return isBox
    ? markup`<div${row}>${control}${label}${said}</div>`
    : markup`<div${row}>${label}${said}${control}</div>`;
}

function notesOf(field: Field, id: string, faults: readonly string[], messages: PageMessages): Note[] {
  const hints = [field.description, formHint(field, messages)].filter((hint) => hint !== undefined);
  return [
    ...hints.map((text, index): Note => ({ kind: "hint", id: `${id}h${index}`, text })),
    ...faults.map((text, index): Note => ({ kind: "fault", id: `${id}e${index}`, text })),
  ];
}

function isMarked(field: Field): boolean {
  return field.required && field.control !== "checkbox";
}

function visibleLabel(field: Field): string {
  return field.label.trim() === "" ? "—" : field.label;
}

/** What was typed goes before what was prefilled: also where somebody emptied a field. */
function shownIn(field: Field, submitted: ReadonlyMap<string, string> | undefined): string | undefined {
  if (submitted !== undefined) return submitted.get(field.name);
  return shownText(withoutNull(field.prefill));
}

const withoutNull = (value: Json | undefined): Json | undefined => (value === null ? undefined : value);

function formHint(field: Field, messages: PageMessages): string | undefined {
  if (field.control === "datetime") return messages.dateTimeHint;
  if (field.control === "time") return messages.timeHint;
  const isStructured = ["multiselect", "group", "list", "json"].includes(field.control);
  return isStructured ? messages.jsonHint : undefined;
}
