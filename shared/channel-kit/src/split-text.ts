import { hasVisible } from "@interlude/contract";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const BLANK = /\s/;
/** What belongs to the character before it, blank or not. */
const JOINS = /^(?:\p{M}|\u200d)/u;

/** The furthest place up to `limit` that no character as a person sees it lies across. */
function graphemeBreak(text: string, limit: number): number {
  let place = 0;
  // With the code point behind it, so that it is seen whether something goes on across the limit.
  for (const { index } of graphemes.segment(text.slice(0, limit + 2))) if (index <= limit) place = index;
  if (place > 0) return place;
  // One character of more units than fit: between code points at least.
  const isInPair = (text.charCodeAt(limit) & 0xfc00) === 0xdc00;
  return isInPair && limit > 1 ? limit - 1 : limit;
}

function isBetweenWords(text: string, place: number): boolean {
  const isInLineBreak = text.charAt(place - 1) === "\r" && text.charAt(place) === "\n";
  return BLANK.test(text.charAt(place - 1)) && !isInLineBreak && !JOINS.test(text.slice(place, place + 2));
}

/** Behind a line, else behind a word, unless what would then come first is too long for a part of its own. */
function wordBreak(text: string, room: number, limit: number): number | undefined {
  const line = text.lastIndexOf("\n", room - 1) + 1;
  const lineEnd = text.indexOf("\n", room);
  const isWholeLine = (lineEnd < 0 ? text.length : lineEnd) - line <= limit;
  if (line > 0 && isWholeLine && isBetweenWords(text, line)) return line;
  let word = room;
  while (word > 0 && !isBetweenWords(text, word)) word--;
  const rest = text.slice(room).search(BLANK);
  const wordEnd = rest < 0 ? text.length : room + rest;
  return word > 0 && wordEnd - word <= limit ? word : undefined;
}

/**
 * Parts of at most `limit` UTF-16 units, the last of at most `lastLimit`, that together are the text. Cut
 * between lines or words where possible, so that an address stays whole, and never within a character; a
 * part that shows nothing is left out.
 */
export function splitText(text: string, limit: number, lastLimit = limit): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > lastLimit) {
    // Buttons below a lone word say little: where the last part is the shorter one, half of it stays filled.
    const left = lastLimit < limit ? Math.ceil(lastLimit / 2) : 1;
    const room = Math.min(limit, rest.length - left);
    const place = wordBreak(rest, room, limit) ?? graphemeBreak(rest, room);
    parts.push(rest.slice(0, place));
    rest = rest.slice(place);
  }
  const shown = [...parts, rest].filter(hasVisible);
  const last = shown.pop() ?? "";
  // With what showed nothing gone from the end, a longer part may have become the last.
  return last.length > lastLimit
    ? [...shown, ...splitText(last, limit, lastLimit)]
    : [...shown, ...(last === "" ? [] : [last])];
}
