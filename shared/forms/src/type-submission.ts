import type { FieldFault } from "@interlude/contract";
import { compileSchema } from "@interlude/json-schema";
import { isWithin, type Json, pointer } from "@interlude/kernel";
import { effectiveSchema } from "./effective-schema.ts";
import type { Field, FormModel } from "./field.ts";
import { objectOf } from "./schema-parts.ts";
import { toFields, type FormOverlay } from "./to-fields.ts";
import { typeValue } from "./type-value.ts";

/** Names and values of a submitted form in the order they came. */
export type FormEntries = readonly (readonly [name: string, value: string])[];

export type Submission = { ok: true; answer: Json } | { ok: false; faults: FieldFault[] };

export type Form = FormOverlay & { readonly schema: Json };

/**
 * The answer that a submitted form means, checked against the schema of this ask. Names are taken as they
 * are (`a[b]` is a name); paths of faults start at the answer.
 */
export function typeSubmission(form: Form, entries: FormEntries): Submission {
  const fields = fieldsOf(toFields(form.schema, form));
  const sent = new Map(entries);
  const faults = [...strangeFaults(fields, entries)];
  const members: [string, Json][] = [];
  for (const field of fields) {
    const typed = typeValue(field, sent.get(field.name));
    if (typed.kind === "given") members.push([field.name, typed.value]);
    if (typed.kind === "fault") faults.push({ path: field.pointer, message: `${field.name} ${typed.rule}` });
  }
  const whole = fields.find((field) => field.pointer === "");
  const answer: Json = whole === undefined ? objectOf(members) : (members[0]?.[1] ?? null);
  const settled = new Set(faults.map((fault) => fault.path));
  const wrong = schemaFaults(form, answer).filter((fault) => !settled.has(fault.path));
  const all = inFormOrder(fields, [...faults, ...wrong]);
  return all.length === 0 ? { ok: true, answer } : { ok: false, faults: all };
}

/** As the person meets them going down the form; what belongs to no field comes last. */
function inFormOrder(fields: readonly Field[], faults: readonly FieldFault[]): FieldFault[] {
  const place = ({ path }: FieldFault): number => {
    const index = fields.findIndex(({ pointer: at }) => isWithin(path, at));
    return index < 0 ? fields.length : index;
  };
  return [...faults].sort((one, other) => place(one) - place(other));
}

function schemaFaults(form: Form, answer: Json): FieldFault[] {
  const compiled = compileSchema(effectiveSchema(form.schema, form.data));
  return compiled.ok ? compiled.schema.validate(answer) : compiled.faults;
}

/** Fields that are not of the form, and those sent more than once. */
function strangeFaults(fields: readonly Field[], entries: FormEntries): FieldFault[] {
  const known = new Set(fields.map((field) => field.name));
  const counts = new Map<string, number>();
  for (const [name] of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].flatMap(([name, count]): FieldFault[] => {
    const path = pointer("", name);
    if (!known.has(name)) return [{ path, message: `${name} is not a field of this form` }];
    return count > 1 ? [{ path, message: `${name} was sent more than once` }] : [];
  });
}

export function fieldsOf(model: FormModel): Field[] {
  return model.pages.flatMap((page) => page.fields);
}
