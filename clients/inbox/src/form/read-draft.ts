import { parseJson, type Json } from "../api/json.ts";
import { messages } from "../messages.ts";
import type { Draft } from "./draft.ts";
import type { Choice, Field } from "./field.ts";

/** Where in the answer, as a JSON Pointer, and what to do about it. */
export type Fault = { pointer: string; message: string };
export type Reading = { value: Json | undefined; faults: readonly Fault[] };

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

export function pointerTo(parent: string, token: string | number): string {
  return `${parent}/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function missing(field: Field, pointer: string): Reading {
  if (field.required && field.nullable) return { value: null, faults: [] };
  return {
    value: undefined,
    faults: field.required ? [{ pointer, message: messages.form.required }] : [],
  };
}

function fault(pointer: string, message: string): Reading {
  return { value: undefined, faults: [{ pointer, message }] };
}

/** A number that cannot be kept exactly would be answered wrongly without anybody seeing it. */
function isExact(text: string, value: number): boolean {
  return Number.isFinite(value) && !(/^-?\d+$/.test(text) && !Number.isSafeInteger(value));
}

function readNumber(text: string, integer: boolean, pointer: string): Reading {
  if (!NUMBER.test(text)) return fault(pointer, integer ? messages.form.integer : messages.form.number);
  const value = Number(text);
  if (!isExact(text, value)) return fault(pointer, messages.form.inexact);
  if (integer && !Number.isInteger(value)) return fault(pointer, messages.form.integer);
  return { value, faults: [] };
}

function readText(field: Field, draft: Draft & { kind: "text" }, pointer: string): Reading {
  const { text, given } = draft;
  const { shape } = field;
  if (shape.kind === "text")
    return text === "" && !given ? missing(field, pointer) : { value: text, faults: [] };
  const trimmed = text.trim();
  if (trimmed === "") return missing(field, pointer);
  if (shape.kind === "number") return readNumber(trimmed, shape.integer, pointer);
  const value = parseJson(trimmed);
  return value === undefined ? fault(pointer, messages.form.json) : { value, faults: [] };
}

/** Built without a prototype, so that a property called `toString` is only there when it was answered. */
function assemble(members: readonly (readonly [string, Json])[]): Json {
  const value: { [key: string]: Json } = Object.create(null) as { [key: string]: Json }; // create() is untyped.
  for (const [name, part] of members) value[name] = part;
  return value;
}

function readGroup(fields: readonly Field[], members: readonly Draft[], pointer: string): Reading {
  const parts = fields.map((field, index) => {
    const draft = members[index];
    const at = pointerTo(pointer, field.name);
    return { name: field.name, ...(draft === undefined ? missing(field, at) : readDraft(field, draft, at)) };
  });
  return {
    value: assemble(
      parts.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])),
    ),
    faults: parts.flatMap(({ faults }) => faults),
  };
}

function readList(entry: Field, draft: Draft & { kind: "list" }, pointer: string): Reading {
  const parts = draft.entries.map((part, index) => readDraft(entry, part.draft, pointerTo(pointer, index)));
  return {
    value: parts.flatMap(({ value }) => (value === undefined ? [] : [value])),
    faults: parts.flatMap(({ faults }) => faults),
  };
}

function picked(choices: readonly Choice[], at: readonly number[]): Json[] {
  return choices.flatMap((choice, index) => (at.includes(index) ? [choice.value] : []));
}

/** The answer that stands in the controls, and what keeps it from being one. */
export function readDraft(field: Field, draft: Draft, pointer: string): Reading {
  const { shape } = field;
  switch (draft.kind) {
    case "text":
      return readText(field, draft, pointer);
    case "flag":
      return { value: draft.on, faults: [] };
    case "choice": {
      const choice = shape.kind === "choice" ? shape.choices[draft.at] : undefined;
      return choice === undefined ? missing(field, pointer) : { value: choice.value, faults: [] };
    }
    case "choices": {
      const values = shape.kind === "choices" ? picked(shape.choices, draft.at) : [];
      return { value: values.length === 0 && !field.required ? undefined : values, faults: [] };
    }
    case "group":
      if (!draft.present || shape.kind !== "group") return missing(field, pointer);
      return readGroup(shape.fields, draft.members, pointer);
    case "list":
      if ((!draft.present && draft.entries.length === 0) || shape.kind !== "list")
        return missing(field, pointer);
      return readList(shape.entry, draft, pointer);
  }
}
