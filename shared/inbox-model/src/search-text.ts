import type { AskedData } from "@interlude/contract";
import { storableText } from "./storable.ts";

/** Scripts written without spaces: each character becomes a word, or a text would be one word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
const UNSPACED_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2,}/gu;

/** Folded here and not by the database, whose locale may know ASCII only. */
function folded(text: string): string {
  return storableText(text.normalize("NFKC").toLowerCase());
}

/** What `q` looks in: the question and its captions. */
export function searchTextOf(asked: AskedData): string {
  const captions = asked.media?.map((item) => item.caption ?? "") ?? [];
  return folded([asked.question, ...captions].join("\n")).replaceAll(UNSPACED, " $& ");
}

/** `q` in the syntax of `websearch_to_tsquery`: a run of unspaced characters is a phrase. */
export function searchQueryOf(q: string): string {
  const text = folded(q);
  const inQuotes = text.includes('"');
  return text.replaceAll(UNSPACED_RUN, (run) => (inQuotes ? run : `"${run}"`)).replaceAll(UNSPACED, " $& ");
}
