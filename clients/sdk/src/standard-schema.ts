import { InterludeError, invalid, type Fault } from "./errors.ts";
import { isJsonObject, isObject, type Json, type JsonObject } from "./json.ts";

type Issue = Readonly<{
  message: string;
  path?: readonly (PropertyKey | Readonly<{ key: PropertyKey }>)[] | undefined;
}>;
type Validated<Output> =
  Readonly<{ value: Output; issues?: undefined }> | Readonly<{ issues: readonly Issue[] }>;

/**
 * The part of a Standard Schema that is used here (zod 4.2 and later are one): the JSON Schema of what people
 * type in, and the validation of it. Written out so that no schema library is a dependency.
 */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": Readonly<{
    version: 1;
    vendor: string;
    validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>;
    jsonSchema: Readonly<{
      input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    }>;
    types?: Readonly<{ input: unknown; output: Output }> | undefined;
  }>;
}

export type AnySchema = StandardSchema | JsonObject;

/** What a schema makes of an answer; a plain JSON Schema says no more than "an object". */
export type OutputOf<Schema> =
  Schema extends StandardSchema<infer Output> ? Output : { readonly [property: string]: Json };

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  const standard =
    (typeof schema === "object" || typeof schema === "function") && schema !== null && "~standard" in schema
      ? schema["~standard"]
      : undefined;
  return isObject(standard) && typeof standard["validate"] === "function";
}

/** The JSON Schema to send; fails where the library's schema says what JSON Schema cannot. */
export function jsonSchemaOf(schema: unknown): unknown {
  if (!isStandardSchema(schema)) return schema;
  const standard: Partial<StandardSchema["~standard"]> = schema["~standard"];
  if (standard.jsonSchema === undefined) {
    throw invalid("/schema", "this schema library gives no JSON Schema (zod needs to be 4.2 or later)");
  }
  try {
    const made: unknown = standard.jsonSchema.input({ target: "draft-2020-12" });
    if (isJsonObject(made)) return made;
  } catch (error) {
    throw invalid("/schema", error instanceof Error ? error.message : "cannot be said in JSON Schema", error);
  }
  throw invalid("/schema", "its JSON Schema is not an object");
}

function pointerOf(issue: Issue): string {
  const keys = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  return keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/**
 * The answer as the schema's library makes it: defaults filled in, types narrowed. The service has already
 * checked the JSON Schema; what can still fail here are rules that JSON Schema cannot say.
 */
export async function parsedBy(schema: unknown, answer: Json, interactionId: string): Promise<unknown> {
  if (!isStandardSchema(schema)) return answer;
  const validated = await schema["~standard"].validate(answer);
  if (validated.issues === undefined) return validated.value;
  const errors: Fault[] = validated.issues.map((issue) => ({
    path: `/answer${pointerOf(issue)}`,
    message: issue.message,
  }));
  throw new InterludeError({
    code: "invalid_answer",
    detail: "The answer was given and accepted, but the schema's own rules refuse it",
    errors,
    interactionId,
  });
}
