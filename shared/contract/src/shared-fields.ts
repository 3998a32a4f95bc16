import { isJsonObject, type Json, type JsonObject } from "@interlude/kernel";
import { z } from "zod";
import { CAPS } from "./caps.ts";
import { capFaults, check, countFault } from "./check.ts";
import { dataFaults, type FormPage, FormPageSchema, pagesFaults } from "./form-parts.ts";
import { type MediaContext, type MediaItem, parseMedia } from "./media.ts";
import { type AskOption, AskOptionSchema, repeatedOptions } from "./options.ts";
import type { FieldFault } from "./parsed.ts";

const OptionList = z.array(AskOptionSchema);
const PageList = z.array(FormPageSchema);

type Shared = Readonly<{ options?: readonly AskOption[]; pages?: readonly FormPage[] }>;

/** What was read of a body: the fields as far as they are right, and every fault so far. */
export type Reading<T> = Readonly<{
  value: T | undefined;
  media: readonly MediaItem[] | undefined;
  faults: FieldFault[];
}>;

type Lists = Readonly<{ options: number }>;

/** Leaves long lists out of what is parsed, so that one with too many items is refused by its count alone. */
function withoutLongLists(body: JsonObject, lists: Lists): { rest: JsonObject; faults: FieldFault[] } {
  const faults: FieldFault[] = [];
  const long = new Set(["media"]);
  const limits = { options: lists.options, pages: CAPS.PAGES_MAX_ITEMS };
  for (const [field, max] of Object.entries(limits)) {
    const list = body[field];
    const count = list === undefined ? undefined : countFault(list, [field], max);
    if (count === undefined) continue;
    faults.push(count);
    long.add(field);
  }
  if (body["media"] === undefined && faults.length === 0) return { rest: body, faults };
  const kept = Object.entries(body).filter(([field]) => !long.has(field));
  return { rest: Object.fromEntries(kept), faults };
}

/** A field that is right by itself, whatever else is wrong with the body. */
function rightField<T>(schema: z.ZodType<T>, value: Json | undefined): T | undefined {
  const parsed = value === undefined ? undefined : check(schema, value);
  return parsed?.ok === true ? parsed.value : undefined;
}

function partFaults(value: Shared | undefined, body: JsonObject): FieldFault[] {
  const { schema, data } = body;
  const options = value === undefined ? rightField(OptionList, body["options"]) : value.options;
  const faults = options === undefined ? [] : repeatedOptions(options, ["options"]);
  if (!isJsonObject(schema)) return faults;
  if (isJsonObject(data)) faults.push(...capFaults(dataFaults(data, schema)));
  const pages = value === undefined ? rightField(PageList, body["pages"]) : value.pages;
  if (pages !== undefined) faults.push(...capFaults(pagesFaults(pages, schema)));
  return faults;
}

/** Reads the fields by a schema, the media by their own rules, and what options, data and pages name. */
export function readFields<T extends Shared>(
  schema: z.ZodType<T>,
  body: JsonObject,
  context: MediaContext,
  lists: Lists = { options: CAPS.OPTIONS_MAX_ITEMS },
): Reading<T> {
  const { rest, faults } = withoutLongLists(body, lists);
  const parsed = check(schema, rest);
  if (!parsed.ok) faults.push(...parsed.faults);
  const value = parsed.ok ? parsed.value : undefined;
  const media = body["media"] === undefined ? undefined : parseMedia(body["media"], "media", context);
  if (media?.ok === false) faults.push(...media.faults);
  faults.push(...partFaults(value, rest));
  return { value, media: media?.ok === true ? media.value : undefined, faults };
}
