import { z } from "zod";
import { check } from "./check.ts";
import { NameSchema } from "./fields.ts";
import type { Parsed } from "./parsed.ts";
import { collectParams, faultsByName } from "./query-params.ts";

export type RunQuestionsQuery = Readonly<{
  state?: "waiting" | "ended";
  /** Of this park and not of the newest. */
  park_id?: string;
  /** The question after which the page begins. */
  cursor?: string;
}>;

const RunQuestionsQuerySchema = z.strictObject({
  state: z.enum(["waiting", "ended"]).exactOptional(),
  park_id: NameSchema.exactOptional(),
  cursor: NameSchema.exactOptional(),
});

/** The query of a run's questions. */
export function parseRunQuestionsQuery(params: URLSearchParams): Parsed<RunQuestionsQuery> {
  const { given, faults } = collectParams(params);
  const parsed = check(RunQuestionsQuerySchema, given);
  if (!parsed.ok) faults.push(...faultsByName(parsed.faults));
  return parsed.ok && faults.length === 0 ? parsed : { ok: false, faults };
}
