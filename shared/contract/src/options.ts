import { z } from "zod";
import { CAPS } from "./caps.ts";
import { fault, type Step } from "./check.ts";
import { text } from "./fields.ts";
import type { FieldFault } from "./parsed.ts";
import { foldText } from "./text.ts";

const OptionText = text({ max: CAPS.OPTION_MAX_CODE_POINTS, visible: true });
const LabelledOption = z.strictObject({ value: OptionText, label: OptionText.exactOptional() });

export const AskOptionSchema = z.union([OptionText, LabelledOption]);
export type AskOption = string | Readonly<{ value: string; label?: string }>;

/** A choice of a form's property. The empty string may be a value there: it is one that an enum can hold. */
export const FormOptionSchema = z.strictObject({
  value: text({ min: 0, max: CAPS.OPTION_MAX_CODE_POINTS }),
  label: OptionText.exactOptional(),
});
export type FormOption = Readonly<{ value: string; label?: string }>;

export function optionValue(option: AskOption): string {
  return typeof option === "string" ? option : option.value;
}

/** What a person reads for it. */
export function optionLabel(option: AskOption): string {
  return typeof option === "string" ? option : (option.label ?? option.value);
}

export function optionValues(options: readonly AskOption[]): string[] {
  return options.map(optionValue);
}

function repeated(texts: readonly string[]): number[] {
  const seen = new Set<string>();
  return texts.flatMap((each, index) => {
    const folded = foldText(each);
    if (seen.has(folded)) return [index];
    seen.add(folded);
    return [];
  });
}

/** Options that a person, or a typed reply, could not tell apart: by value or by what is read for it. */
export function repeatedOptions(options: readonly AskOption[], path: readonly Step[]): FieldFault[] {
  const values = repeated(optionValues(options));
  const labels = repeated(options.map(optionLabel)).filter((index) => !values.includes(index));
  const say = (index: number, what: string): FieldFault =>
    fault([...path, index], `has the same ${what} as an option before it`);
  return [...values.map((index) => say(index, "value")), ...labels.map((index) => say(index, "label"))];
}
