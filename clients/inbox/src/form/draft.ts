import { isJsonArray, isJsonObject, own, type Json } from "../api/json.ts";
import type { Choice, Field } from "./field.ts";

/** What stands in the controls, which is not yet a value: a number half typed is text. Kept as JSON. */
export type Draft =
  /** `given`: an empty text counts as an answer, because the prefill was empty text. */
  | { kind: "text"; text: string; given: boolean }
  | { kind: "flag"; on: boolean }
  | { kind: "choice"; at: number }
  | { kind: "choices"; at: readonly number[] }
  | { kind: "group"; present: boolean; members: readonly Draft[] }
  | { kind: "list"; present: boolean; entries: readonly { key: number; draft: Draft }[] };

const MAX_FIRST_ENTRIES = 20;

function isSame(left: Json, right: Json): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

function indexOf(choices: readonly Choice[], value: Json | undefined): number {
  return value === undefined ? -1 : choices.findIndex((choice) => isSame(choice.value, value));
}

function textDraft(value: Json | undefined): Draft {
  if (typeof value === "string") return { kind: "text", text: value, given: value === "" };
  return { kind: "text", text: typeof value === "number" ? String(value) : "", given: false };
}

function listDraft(field: Field, entry: Field, value: Json | undefined): Draft {
  const least = own(field.schema, "minItems");
  const blanks = field.required && typeof least === "number" ? Math.min(least, MAX_FIRST_ENTRIES) : 0;
  const values: readonly (Json | undefined)[] = isJsonArray(value)
    ? value
    : Array.from({ length: blanks }, () => undefined);
  return {
    kind: "list",
    present: field.required || isJsonArray(value),
    entries: values.map((part, key) => ({ key, draft: firstDraft(entry, part) })),
  };
}

/** A question with one possible answer that must be given is answered from the start. */
function choiceDraft(field: Field, choices: readonly Choice[], value: Json | undefined): Draft {
  const at = indexOf(choices, value);
  return { kind: "choice", at: at === -1 && field.required && choices.length === 1 ? 0 : at };
}

/** The controls as they first stand: the caller's value, else the schema's default, else empty. */
export function firstDraft(field: Field, prefill: Json | undefined): Draft {
  const value = prefill ?? (prefill === null ? null : own(field.schema, "default"));
  const { shape } = field;
  switch (shape.kind) {
    case "text":
    case "number":
      return textDraft(value);
    case "flag":
      return { kind: "flag", on: value === true };
    case "choice":
      return choiceDraft(field, shape.choices, value);
    case "choices":
      return {
        kind: "choices",
        at: isJsonArray(value)
          ? value.map((part) => indexOf(shape.choices, part)).filter((at) => at >= 0)
          : [],
      };
    case "group": {
      const given = isJsonObject(value) ? value : undefined;
      return {
        kind: "group",
        present: field.required || given !== undefined,
        members: shape.fields.map((member) =>
          firstDraft(member, given === undefined ? undefined : own(given, member.name)),
        ),
      };
    }
    case "list":
      return listDraft(field, shape.entry, value);
    case "raw":
      return { kind: "text", text: value === undefined ? "" : JSON.stringify(value, null, 2), given: false };
  }
}
