import { isJsonArray, isJsonObject, own, type Json } from "../api/json.ts";
import type { Draft } from "./draft.ts";
import type { Field } from "./field.ts";

const isIndex = (value: Json | undefined): value is number =>
  typeof value === "number" && Number.isInteger(value);

function reviveEntries(entry: Field, kept: Json | undefined): { key: number; draft: Draft }[] | undefined {
  if (!isJsonArray(kept)) return undefined;
  const entries = kept.flatMap((part) => {
    const key = isJsonObject(part) ? own(part, "key") : undefined;
    const draft = isJsonObject(part) ? reviveDraft(entry, own(part, "draft")) : undefined;
    return isIndex(key) && draft !== undefined ? [{ key, draft }] : [];
  });
  return entries.length === kept.length ? entries : undefined;
}

function reviveMembers(fields: readonly Field[], kept: Json | undefined): Draft[] | undefined {
  if (!isJsonArray(kept) || kept.length !== fields.length) return undefined;
  const members = fields.flatMap((field, index) => reviveDraft(field, kept[index]) ?? []);
  return members.length === fields.length ? members : undefined;
}

/** A kept draft, if it still fits the form it was typed into. */
export function reviveDraft(field: Field, kept: Json | undefined): Draft | undefined {
  if (!isJsonObject(kept)) return undefined;
  const { shape } = field;
  const at = own(kept, "at");
  const present = own(kept, "present") === true;
  switch (shape.kind) {
    case "text":
    case "number":
    case "raw": {
      const text = own(kept, "text");
      return typeof text === "string"
        ? { kind: "text", text, given: own(kept, "given") === true }
        : undefined;
    }
    case "flag": {
      const on = own(kept, "on");
      return typeof on === "boolean" ? { kind: "flag", on } : undefined;
    }
    case "choice":
      return isIndex(at) && at < shape.choices.length ? { kind: "choice", at } : undefined;
    case "choices":
      return isJsonArray(at) ? { kind: "choices", at: at.filter(isIndex) } : undefined;
    case "group": {
      const members = reviveMembers(shape.fields, own(kept, "members"));
      return members === undefined ? undefined : { kind: "group", present, members };
    }
    case "list": {
      const entries = reviveEntries(shape.entry, own(kept, "entries"));
      return entries === undefined ? undefined : { kind: "list", present, entries };
    }
  }
}
