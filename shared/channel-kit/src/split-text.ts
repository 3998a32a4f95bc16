import { hasVisible } from "@interlude/contract";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const BLANK = /\s/;

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

/** Behind the last line break, else the last blank, that leaves at least half of the room used. */
function wordBreak(text: string, limit: number): number | undefined {
  for (const isBreak of [(unit: string) => unit === "\n", (unit: string) => BLANK.test(unit)]) {
    for (let place = limit; place > limit / 2; place--) if (isBreak(text.charAt(place - 1))) return place;
  }
  return undefined;
}

/**
 * Parts of at most `limit` UTF-16 units, the last of at most `lastLimit`, that together are the text. Cut
 * between lines or words where possible, never within a character; a part that shows nothing is left out.
 */
export function splitText(text: string, limit: number, lastLimit = limit): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > lastLimit) {
    // What fits one part but not the last is cut all the same, so that something is left for the last.
    const room = Math.min(limit, rest.length - 1);
    const place = wordBreak(rest, room) ?? graphemeBreak(rest, room);
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
