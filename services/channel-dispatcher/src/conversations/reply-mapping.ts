import { compile, type JSONValue, search } from "@jmespath-community/jmespath";
import { isJsonList, isJsonObject, type Json } from "@interlude/kernel";
import { z } from "zod";

/** What a run came to, as a mapping sees it. */
export type RunOutcome = Readonly<{ result: Json; run_id: string }>;

/** What is said to the person of what a run came to; `undefined`: nothing. @throws where the result does not suit it */
export type ReplyMapping = (outcome: RunOutcome) => string | undefined;

const AnyJson: z.ZodType<Json> = z.json();
const UNKNOWN_FUNCTION = /unknown function/i;

/** A mapping in JMESPath; without one, the result itself. */
export function replyMapping(
  expression: string | undefined,
): { ok: true; map: ReplyMapping } | { ok: false; reason: string } {
  if (expression === undefined) return { ok: true, map: ({ result }) => spoken(result) };
  try {
    compile(expression);
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
  const map: ReplyMapping = (outcome) => spoken(AnyJson.parse(search(bare(outcome), expression) ?? null));
  try {
    map({ result: null, run_id: "" });
  } catch (error) {
    // Anything else may suit another result.
    if (UNKNOWN_FUNCTION.test(reasonOf(error))) return { ok: false, reason: reasonOf(error) };
  }
  return { ok: true, map };
}

/** The library finds what objects inherit too: these inherit nothing. */
function bare(value: Json): JSONValue {
  if (isJsonList(value)) return value.map(bare);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, JSONValue> = {};
  Object.setPrototypeOf(copy, null);
  for (const [name, member] of Object.entries(value)) copy[name] = bare(member);
  return copy;
}

/** A text as it is, nothing of what is blank, and anything else as JSON. */
function spoken(value: Json): string | undefined {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return value === null || text.trim() === "" ? undefined : text;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
