import type { FormPage } from "../api/item.ts";
import type { Field } from "./field.ts";
import { pointerTo } from "./read-draft.ts";

type Member = { field: Field; index: number; pointer: string };
export type Page = { title: string; members: readonly Member[] };

/** The asker's pages over the form's top-level fields, or one page with all of them. */
export function pagesOf(form: Field, laidOut: readonly FormPage[]): Page[] {
  if (form.shape.kind !== "group") return [{ title: "", members: [] }];
  const members = form.shape.fields.map((field, index): Member => ({
    field,
    index,
    pointer: pointerTo("", field.name),
  }));
  if (laidOut.length === 0) return [{ title: form.label, members }];
  const pages = laidOut.map(({ title, properties }): Page => ({
    title,
    members: properties.flatMap((name) => members.filter(({ field }) => field.name === name)),
  }));
  const placed = new Set(pages.flatMap((page) => page.members));
  const rest = members.filter((member) => !placed.has(member));
  return rest.length === 0 ? pages : [...pages, { title: "", members: rest }];
}

/** The page on which somebody finds what a pointer names; the first one for the form as a whole. */
export function pageOf(pages: readonly Page[], pointer: string): number {
  const at = pages.findIndex((page) =>
    page.members.some((member) => pointer === member.pointer || pointer.startsWith(`${member.pointer}/`)),
  );
  return Math.max(0, at);
}
