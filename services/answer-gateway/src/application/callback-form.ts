import type { AskedData, FieldFault } from "@interlude/contract";
import { renderFormPage, toFields, typeSubmission } from "@interlude/forms";
import { type Json, ServiceFailure } from "@interlude/kernel";
import type { Decoded, Fields } from "./callback-fields.ts";
import { formOf } from "./form-of-asked.ts";

/** A form page's fields as its question's schema types them. */
export function typeCallbackForm(asked: AskedData, fields: Fields): Decoded<Json> {
  const typed = typeSubmission(formOrBreak(asked), fields);
  return typed.ok ? { ok: true, value: typed.answer } : typed;
}

/** The page that asks for a form; with what was sent and refused, the page again with its faults. */
export function renderCallbackForm(
  asked: AskedData,
  language: string,
  refused?: { fields: Fields; faults: readonly FieldFault[] },
): string {
  const form = formOrBreak(asked);
  return renderFormPage({
    model: toFields(form.schema, form),
    question: asked.question,
    language,
    ...(asked.media === undefined ? {} : { media: asked.media.map(withoutUndefined) }),
    ...(refused === undefined ? {} : { submitted: refused.fields, faults: refused.faults }),
  });
}

function formOrBreak(asked: AskedData) {
  const form = formOf(asked);
  if (form !== undefined) return form;
  const message = "a form was asked without a schema";
  throw new ServiceFailure("invariant_broken", { retry: "never", message });
}

type Media = NonNullable<AskedData["media"]>[number];

function withoutUndefined({ kind, url, caption, filename }: Media) {
  return {
    kind,
    url,
    ...(caption === undefined ? {} : { caption }),
    ...(filename === undefined ? {} : { filename }),
  };
}
