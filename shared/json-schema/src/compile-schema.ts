import { createHash } from "node:crypto";
import { canonicalJson, isJsonObject, type Json } from "@interlude/kernel";
import { CheckTooCostly, compileCleanSchema, type RawValidator } from "./compile-clean-schema.ts";
import { dialectOf } from "./dialect.ts";
import { explainFaults } from "./explain-faults.ts";
import type { FieldFault } from "./field-fault.ts";
import { MAX_VALUE_DEPTH, SCHEMA_LIMITS } from "./limits.ts";
import { isDeeperThan } from "./measure-json.ts";
import { readSchema } from "./read-schema.ts";
import { refuseEndlessReferences, resolveReferences } from "./resolve-references.ts";
import { refuseMultiplying, weigh } from "./weigh-schemas.ts";
import { createReading, DOCUMENT_BASE, type CleanSchema } from "./schema-node.ts";
import { createSchemaCache } from "./schema-cache.ts";

/** A schema ready to check values. Checking never throws, and never changes or completes the value. */
export interface CompiledSchema {
  /** Every fault of the value, none when it fits. */
  validate(value: Json): FieldFault[];
}

export type SchemaResult = { ok: true; schema: CompiledSchema } | { ok: false; faults: FieldFault[] };

const cache = createSchemaCache<SchemaResult>();

/**
 * Checks and compiles a schema, or says all that is wrong with it. Asking and answering share the result by
 * content, so the two can never disagree; refused schemas are remembered too.
 */
export function compileSchema(schema: Json): SchemaResult {
  const oversize = faultOfSize(schema);
  if (oversize !== undefined) return { ok: false, faults: [oversize] };
  const content = canonicalJson(schema);
  const key = createHash("sha256").update(content).digest("base64url");
  const known = cache.get(key);
  if (known !== undefined) return known;
  const result = compile(schema);
  cache.set(key, result, content.length);
  return result;
}

function faultOfSize(schema: Json): FieldFault | undefined {
  const { maxBytes, maxDepth } = SCHEMA_LIMITS;
  if (isDeeperThan(schema, maxDepth)) {
    return { path: "", message: `the schema nests deeper than ${maxDepth} levels` };
  }
  if (Buffer.byteLength(JSON.stringify(schema)) > maxBytes) {
    return { path: "", message: `the schema is larger than ${maxBytes} bytes` };
  }
  return undefined;
}

function compile(schema: Json): SchemaResult {
  if (typeof schema !== "boolean" && !isJsonObject(schema)) {
    return { ok: false, faults: [{ path: "", message: "the schema must be an object, true or false" }] };
  }
  const dialect = dialectOf(schema);
  if (dialect === undefined) {
    const message = "$schema must be JSON Schema 2020-12 or draft-07";
    return { ok: false, faults: [{ path: "/$schema", message }] };
  }
  const reading = createReading(dialect);
  const place = { pointer: "", what: "the schema", owner: "the schema", base: DOCUMENT_BASE };
  const clean = readSchema(reading, schema, place);
  if (reading.properties > SCHEMA_LIMITS.maxProperties) {
    const message = `the schema has more than ${SCHEMA_LIMITS.maxProperties} properties`;
    reading.faults.push({ path: "", message });
  }
  const definitions = resolveReferences(reading);
  refuseEndlessReferences(reading);
  if (reading.faults.length > 0) return { ok: false, faults: reading.faults };
  const rooted: CleanSchema =
    typeof clean === "boolean" ? clean : Object.assign(clean, { $defs: definitions });
  weigh(reading);
  refuseMultiplying(reading);
  if (reading.faults.length > 0) return { ok: false, faults: reading.faults };
  try {
    const check = compileCleanSchema(rooted, dialect, reading.patterns);
    return { ok: true, schema: { validate: (value) => validate(check, rooted, value) } };
  } catch {
    // What was read is well formed, so this is the compiler's own limit, such as its stack.
    return { ok: false, faults: [{ path: "", message: "the schema is too complex" }] };
  }
}

function validate(check: RawValidator, schema: CleanSchema, value: Json): FieldFault[] {
  if (isDeeperThan(value, MAX_VALUE_DEPTH)) {
    return [{ path: "", message: `the value nests deeper than ${MAX_VALUE_DEPTH} levels` }];
  }
  try {
    return explainFaults(check(value), schema);
  } catch (error) {
    if (error instanceof CheckTooCostly || error instanceof RangeError) {
      return [{ path: "", message: "the value is too complex to check against its schema" }];
    }
    throw error;
  }
}
