import type { Json } from "@interlude/kernel";
import type { FieldOption } from "./field.ts";

/** Browsers send every line break as CR LF, so texts that differ in those alone cannot be told apart. */
export function unixLines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/**
 * The text that stands for each option in a form: the string itself, or the JSON of another scalar, and a
 * number for one that would come back as another.
 */
export function optionTexts(options: readonly FieldOption[]): string[] {
  const taken = new Set<string>();
  return options.map(({ value }, index) => {
    let text = typeof value === "string" ? value : JSON.stringify(value);
    while (taken.has(unixLines(text))) text = `#${index}${text.trim()}`;
    taken.add(unixLines(text));
    return text;
  });
}

/** The option that was sent, whatever a browser made of its line breaks. */
export function parseOptionText(options: readonly FieldOption[], sent: string): Json | undefined {
  const index = optionTexts(options).findIndex((text) => unixLines(text) === unixLines(sent));
  return options[index]?.value;
}

/** What "not chosen" sends: nothing, unless the empty string is itself a choice. */
export function unchosenText(options: readonly FieldOption[]): string {
  const taken = new Set(optionTexts(options));
  let text = "";
  while (taken.has(text)) text = text === "" ? "not-chosen" : `${text}-`;
  return text;
}
