import { z } from "zod";
import { CAPS } from "./caps.ts";
import { check } from "./check.ts";
import { NameSchema } from "./fields.ts";
import type { Parsed } from "./parsed.ts";
import { collectParams, faultsByName } from "./query-params.ts";
import { RUN_STATES, type RunState } from "./run-views.ts";
import { codePoints } from "./text.ts";

export type RunListQuery = Readonly<{
  state?: RunState;
  driver?: string;
  /** Runs with a park on this question. */
  interaction_id?: string;
  cursor?: string;
}>;

const CURSOR = `must be at most ${CAPS.CURSOR_MAX_CHARS} characters long`;

const RunListQuerySchema = z.strictObject({
  state: z.enum(RUN_STATES).exactOptional(),
  driver: NameSchema.exactOptional(),
  interaction_id: NameSchema.exactOptional(),
  cursor: z
    .string()
    .refine((text) => codePoints(text) <= CAPS.CURSOR_MAX_CHARS, CURSOR)
    .exactOptional(),
});

/** The query of the list of runs. Unknown and repeated parameters are faults, so that a typo never widens a list. */
export function parseRunListQuery(params: URLSearchParams): Parsed<RunListQuery> {
  const { given, faults } = collectParams(params);
  const parsed = check(RunListQuerySchema, given);
  if (!parsed.ok) faults.push(...faultsByName(parsed.faults));
  return parsed.ok && faults.length === 0 ? parsed : { ok: false, faults };
}
