import { isJsonObject, type Json, type JsonObject, pointer } from "@interlude/kernel";
import { areConstants } from "./constant-choices.ts";
import { IN_PLACE, KEYWORDS, SILENT } from "./keyword-shapes.ts";
import { SCHEMA_LIMITS } from "./limits.ts";
import { readIdentity } from "./read-identity.ts";
import { readPlainKeyword, readPattern } from "./read-plain-keyword.ts";
import {
  PROTOTYPE_PATTERN,
  type CleanObject,
  type CleanSchema,
  type SchemaNode,
  type SchemaReading,
} from "./schema-node.ts";

/** Where a schema stands: `what` names it in a fault, `owner` is the property it describes. */
type Place = {
  readonly pointer: string;
  readonly what: string;
  readonly owner: string;
  readonly base: string;
};

/** Names of ours in the compiler's schema: `const` and `enum` compare as JSON. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["const", "x-const"],
  ["enum", "x-enum"],
  ["uniqueItems", "x-unique"],
]);
/** A choice between constants is looked up, as an `enum` is. */
const RENAMED_CONSTANTS: ReadonlyMap<string, string> = new Map([
  ["anyOf", "x-any-of"],
  ["oneOf", "x-one-of"],
]);

/**
 * Checks a schema keyword by keyword and copies what is known of it. The copy is all that the compiler
 * ever sees, so that no keyword, format or name of a caller can mean anything else to it.
 */
export function readSchema(reading: SchemaReading, value: Json, place: Place): CleanSchema {
  if (typeof value === "boolean") {
    reading.nodes.set(place.pointer, { pointer: place.pointer, clean: value, sameValue: [] });
    return value;
  }
  if (!isJsonObject(value)) {
    const message = `${place.what} must be a schema: an object, true or false`;
    reading.faults.push({ path: place.pointer, message });
    return true;
  }
  const node = { pointer: place.pointer, clean: {} as CleanObject, sameValue: [] };
  reading.nodes.set(place.pointer, node);
  const base = readIdentity(reading, value, node, place);
  readKeywords(reading, value, node, { ...place, base });
  return node.clean;
}

type ObjectNode = SchemaNode & { readonly clean: CleanObject };

function readKeywords(reading: SchemaReading, schema: JsonObject, node: ObjectNode, place: Place): void {
  // Draft 7 says that what stands beside a $ref is ignored.
  const isAlias = reading.dialect === "draft-07" && typeof schema["$ref"] === "string";
  for (const [keyword, value] of Object.entries(schema)) {
    if (isAlias && !SILENT.has(keyword)) continue;
    const read = readKeyword(reading, keyword, value, node, place);
    if (read === undefined || SILENT.has(keyword)) continue;
    const renamed = areConstants(read) ? RENAMED_CONSTANTS.get(keyword) : RENAMED.get(keyword);
    if (renamed === undefined) refuseManyBranches(reading, keyword, read, place);
    node.clean[renamed ?? keyword] = read;
  }
  liftPrototypeProperty(node.clean);
}

/** The compiler nests each branch of a choice in the one before: its work grows with the square of their number. */
function refuseManyBranches(reading: SchemaReading, keyword: string, read: unknown, place: Place): void {
  const { maxBranches } = SCHEMA_LIMITS;
  if (!RENAMED_CONSTANTS.has(keyword) || !Array.isArray(read) || read.length <= maxBranches) return;
  refuse(reading, place, keyword, `has more than ${maxBranches} branches, of which not all are only a const`);
}

function readKeyword(
  reading: SchemaReading,
  keyword: string,
  value: Json,
  node: ObjectNode,
  place: Place,
): unknown {
  const shape = KEYWORDS[reading.dialect].get(keyword);
  const child = (schema: Json, ...tokens: (string | number)[]) =>
    readChild(reading, schema, node, place, keyword, tokens);
  switch (shape) {
    case undefined:
      return undefined;
    case "schema":
      return child(value);
    case "items":
      return Array.isArray(value) ? value.map((entry: Json, index) => child(entry, index)) : child(value);
    case "schemaList":
      if (Array.isArray(value) && value.length > 0) return value.map((entry: Json, at) => child(entry, at));
      return refuse(reading, place, keyword, "must be a list of at least one schema");
    case "schemaByProperty":
    case "schemaByPattern":
    case "dependencies":
      if (!isJsonObject(value)) return refuse(reading, place, keyword, "must be an object of schemas");
      if (keyword === "properties") reading.properties += Object.keys(value).length;
      return Object.fromEntries(
        Object.entries(value).map(([name, entry]) => {
          if (shape === "schemaByPattern")
            readPattern(reading, name, place, keyword, pointer("", keyword, name));
          const isNames = shape === "dependencies" && Array.isArray(entry);
          return [name, isNames ? readNames(reading, entry, place, keyword, name) : child(entry, name)];
        }),
      );
    case "any":
    case "boolean":
    case "count":
    case "format":
    case "list":
    case "names":
    case "namesByProperty":
    case "number":
    case "pattern":
    case "positive":
    case "text":
    case "type":
      return readPlainKeyword(reading, shape, keyword, value, place);
  }
}

function readNames(
  reading: SchemaReading,
  value: Json,
  place: Place,
  keyword: string,
  name: string,
): unknown {
  const inner = { pointer: pointer(place.pointer, keyword), owner: place.owner };
  return readPlainKeyword(reading, "names", name, value, inner);
}

function readChild(
  reading: SchemaReading,
  schema: Json,
  node: SchemaNode,
  place: Place,
  keyword: string,
  tokens: readonly (string | number)[],
): CleanSchema {
  const at = pointer(place.pointer, keyword, ...tokens);
  if (IN_PLACE.has(keyword)) node.sameValue.push(at);
  const name = tokens[0];
  const isNamed = typeof name === "string" && (keyword === "properties" || SILENT.has(keyword));
  const what = isNamed ? name : `${[keyword, ...tokens].join(" ")} of ${place.owner}`;
  return readSchema(reading, schema, {
    pointer: at,
    what,
    owner: isNamed ? name : place.owner,
    base: place.base,
  });
}

function refuse(reading: SchemaReading, place: Place, keyword: string, rule: string): unknown {
  const message = `${keyword} of ${place.owner} ${rule}`;
  reading.faults.push({ path: pointer(place.pointer, keyword), message });
  return undefined;
}

/** The compiler skips a property named `__proto__`; as a pattern it is a name like any other. */
function liftPrototypeProperty(clean: CleanObject): void {
  const properties = clean["properties"];
  if (typeof properties !== "object" || properties === null || !Object.hasOwn(properties, "__proto__"))
    return;
  const { ["__proto__"]: lifted, ...others } = properties as CleanObject;
  clean["properties"] = others;
  const patterns = (clean["patternProperties"] ?? {}) as CleanObject;
  const known = patterns[PROTOTYPE_PATTERN];
  clean["patternProperties"] = {
    ...patterns,
    [PROTOTYPE_PATTERN]: known === undefined ? lifted : { allOf: [lifted, known] },
  };
}
