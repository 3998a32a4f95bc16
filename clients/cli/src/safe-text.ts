/* eslint-disable no-control-regex -- control characters are what this file is about */

/** Colours, cursor movements and the like: introducer, parameters, final byte; both spellings of the introducer. */
const CONTROL_SEQUENCE = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g;
/**
 * Window titles, links, clipboard and device strings, where they end; without an end only the introducer goes,
 * so that nothing that follows is hidden.
 */
const CONTROL_STRING =
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/g;
const OTHER_ESCAPE = /\u001b[ -/]*[0-~]?/g;
/** C0 but tab and newline, DEL and C1. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Marks, embeddings, overrides and isolates: with them text reads in an order in which it does not stand. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Invisible by themselves; the joiners stay, without which Persian, Hindi and many emoji fall apart. */
const INVISIBLE = /[\u200b\u2060-\u2064\u206a-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
const LINE_BREAK = /\r\n?|[\u2028\u2029]/g;

/** Text of any origin, made harmless for a terminal: it can show itself and nothing else. */
export function safeText(text: string): string {
  return text
    .toWellFormed()
    .replace(CONTROL_STRING, "")
    .replace(CONTROL_SEQUENCE, "")
    .replace(OTHER_ESCAPE, "")
    .replace(LINE_BREAK, "\n")
    .replace(CONTROL, "")
    .replace(BIDI, "")
    .replace(INVISIBLE, "");
}

/** The same on one line, so that a text cannot pretend to be the next entry of a list. */
export function safeLine(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const line = safeText(text).replace(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join("")}…`;
}

const UNPRINTABLE = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** JSON that a parser reads unchanged and a terminal cannot be driven by. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
