import { foldText } from "@interlude/contract";

type Words = Readonly<{ yes: readonly string[]; no: readonly string[] }>;

/** Understood in every language. */
const ALWAYS: Words = { yes: ["yes", "y", "ok", "true", "1"], no: ["no", "n", "false", "0"] };

/** No word means yes in one language and no in another: then it would stand in neither. */
const PACKS: ReadonlyMap<string, Words> = new Map([
  ["de", { yes: ["ja", "j"], no: ["nein"] }],
  ["es", { yes: ["sí", "si", "s"], no: [] }],
  ["fr", { yes: ["oui", "o"], no: ["non"] }],
  ["it", { yes: ["sì", "si", "s"], no: [] }],
  ["nl", { yes: ["ja", "j"], no: ["nee"] }],
  ["pt", { yes: ["sim", "s"], no: ["não", "nao"] }],
]);

/** Yes, no, or neither, of one word in any case. */
export function confirmWord(word: string, language: string): boolean | undefined {
  const folded = foldText(word);
  const says = (which: keyof Words): boolean =>
    [ALWAYS, PACKS.get(language)].some((words) => words?.[which].some((known) => foldText(known) === folded));
  if (says("yes")) return true;
  return says("no") ? false : undefined;
}
