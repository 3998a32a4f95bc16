const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{DI}\u2800]/u;
const CONTROL = /\p{Cc}/u;

/**
 * Whether a person would see anything: not only whitespace, control, format, zero-width or other
 * characters that are drawn as nothing (Hangul fillers, the blank Braille cell, lone variation selectors).
 */
export function hasVisible(text: string): boolean {
  return VISIBLE.test(text);
}

export function hasControl(text: string): boolean {
  return CONTROL.test(text);
}

export function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    // The second half of a surrogate pair is no character of its own.
    if ((text.charCodeAt(index) & 0xfc00) !== 0xdc00) count++;
  }
  return count;
}

/**
 * The form in which two texts that a person takes for the same are equal: NFC, trimmed, case-folded.
 * Upper case first, so that ß meets SS and a final sigma its other forms.
 */
export function foldText(text: string): string {
  return text.normalize("NFC").trim().toUpperCase().toLowerCase().normalize("NFC");
}

export type TextRule = Readonly<{ max: number; min?: number; visible?: boolean; noControl?: boolean }>;

/** What is wrong with a text, each to be read after the field's name. */
export function textFaults(text: string, rule: TextRule): string[] {
  const faults: string[] = [];
  const long = text.length > rule.max ? codePoints(text) : 0;
  if (long > rule.max) faults.push(`must be at most ${rule.max} characters long and has ${long}`);
  if (text.length === 0 && (rule.min ?? 1) > 0) faults.push("must not be empty");
  else if (rule.visible === true && !hasVisible(text)) faults.push("must have a visible character");
  if (rule.noControl === true && hasControl(text)) faults.push("must not have control characters");
  return faults;
}
