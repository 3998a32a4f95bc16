import { isJsonList, isJsonObject, type Json, type JsonObject } from "@interlude/kernel";
import { z } from "zod";
import type { Parameter } from "./door.ts";

/** Schemas that carry an id become components, and stand elsewhere by reference. */
export type Components = Map<string, JsonObject>;

const REFERENCE = "#/components/schemas/";
const DEFINITION = "#/$defs/";
/** What zod says of a schema as a document of its own, which it is not here. */
const OF_A_DOCUMENT: ReadonlySet<string> = new Set(["$schema", "$defs", "$id", "id"]);

function moved(value: Json): Json {
  if (isJsonList(value)) return value.map(moved);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const refers = key === "$ref" && typeof each === "string";
      return [key, refers ? each.replace(DEFINITION, REFERENCE) : moved(each)];
    }),
  );
}

function embedded(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([key]) => !OF_A_DOCUMENT.has(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, moved(each)]));
}

/** A zod schema as the JSON Schema of what is sent; what has an id goes to the components. */
export function schemaOf(schema: z.ZodType, components: Components): JsonObject {
  const made: unknown = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  if (!isJsonObject(made)) return {};
  const shared = made["$defs"];
  for (const [id, each] of isJsonObject(shared) ? Object.entries(shared) : []) {
    if (isJsonObject(each)) components.set(id, embedded(each));
  }
  const ref = made["$ref"];
  return typeof ref === "string" ? { $ref: ref.replace(DEFINITION, REFERENCE) } : embedded(made);
}

/** The query parameters that an object schema describes. */
export function parametersOf(schema: z.ZodObject): Parameter[] {
  return Object.keys(schema.shape).map((name) => ({
    name,
    in: "query",
    description: `Filter or window: ${name}`,
  }));
}
