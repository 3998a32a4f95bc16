import { type AskOption, optionLabel } from "@interlude/contract";

/** Replies that cannot be tapped here are read, a line each, and typed. */
export function withOptionLines(text: string, options: readonly AskOption[]): string {
  return [text, "", ...options.map((option) => `- ${optionLabel(option)}`)].join("\n");
}
