import type { FieldFault } from "@interlude/contract";
import { isJsonObject, isWithin, type Json } from "@interlude/kernel";
import { requiredOf } from "./schema-parts.ts";
import { toFields } from "./to-fields.ts";
import { type Form, type FormEntries, typeSubmission } from "./type-submission.ts";

/** What bears on a property by itself. */
const OF_PROPERTIES = ["$schema", "$id", "$defs", "definitions", "type", "properties"];

/**
 * What is wrong with one page of a form, by the rules of its properties alone: what the schema says of several
 * together can only be told once all of them are there.
 */
export function checkStep({ schema, ...overlay }: Form, page: number, entries: FormEntries): FieldFault[] {
  const fields = toFields(schema, overlay).pages[page]?.fields ?? [];
  const names = new Set<Json>(fields.map(({ name }) => name));
  const typed = typeSubmission({ ...overlay, schema: ofProperties(schema, names) }, entries);
  if (typed.ok) return [];
  return typed.faults.filter(({ path }) => fields.some(({ pointer }) => isWithin(path, pointer)));
}

function ofProperties(schema: Json, names: ReadonlySet<Json>): Json {
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => OF_PROPERTIES.includes(keyword));
  return { ...Object.fromEntries(kept), required: [...requiredOf(schema)].filter((name) => names.has(name)) };
}
