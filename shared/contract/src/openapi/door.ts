import type { z } from "zod";
import type { ProblemCode } from "../problem.ts";

export type DoorAccess = "public" | "closed" | readonly string[];

export type Parameter = Readonly<{
  name: string;
  in: "query" | "header";
  description: string;
  schema?: Readonly<Record<string, string | number>>;
}>;

export type Reply = Readonly<{
  status: number;
  description: string;
  schema?: z.ZodType;
  /** Where it is not JSON. */
  type?: string;
}>;

/** One door as it is documented: what goes in, what comes out, who may. */
export type Door = Readonly<{
  method: "get" | "post" | "delete";
  path: string;
  summary: string;
  access: DoorAccess;
  parameters?: readonly Parameter[];
  body?: Readonly<{ schema?: z.ZodType; types?: readonly string[]; required?: boolean }>;
  replies: readonly Reply[];
  problems: readonly ProblemCode[];
}>;

export const ASKER = ["asker", "operator"] as const;
export const ANSWERER = ["answerer", "operator"] as const;
export const READER = ["asker", "answerer", "operator"] as const;
export const OPERATOR = ["operator"] as const;

/** What can come of any door that reads a JSON body. */
export const BODY_PROBLEMS = ["validation_failed", "unsupported_media_type", "payload_too_large"] as const;

export function query(name: string, description: string, schema?: Parameter["schema"]): Parameter {
  return { name, in: "query", description, ...(schema === undefined ? {} : { schema }) };
}

export const WAIT = query("wait", "Seconds to hold the response", {
  type: "number",
  minimum: 0,
  maximum: 60,
});
export const CURSOR = query("cursor", "From `next_cursor`");

export const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  description: "A repeat by the same subject with the same content is answered, not done again",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};
