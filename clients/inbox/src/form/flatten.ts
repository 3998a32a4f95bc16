import { isJsonArray, isJsonObject, own, ownText, type Json, type JsonObject } from "../api/json.ts";

export type Flat = { schema: JsonObject; types: readonly string[]; nullable: boolean };

const MAX_HOPS = 16;

function unescape(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

function decode(token: string): string | undefined {
  try {
    return decodeURIComponent(token);
  } catch {
    return undefined;
  }
}

/** Follows a pointer inside the document; other references are the server's business. */
function lookUp(root: Json, reference: string): Json | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let at: Json | undefined = root;
  for (const raw of reference.slice(2).split("/")) {
    const token = decode(raw);
    if (token === undefined) return undefined;
    if (isJsonArray(at)) at = at[Number(unescape(token))];
    else at = isJsonObject(at) ? own(at, unescape(token)) : undefined;
  }
  return at;
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const properties = { ...objectAt(left, "properties"), ...objectAt(right, "properties") };
  const required = [...arrayAt(left, "required"), ...arrayAt(right, "required")];
  return {
    ...left,
    ...right,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function objectAt(schema: JsonObject, key: string): JsonObject {
  const value = own(schema, key);
  return isJsonObject(value) ? value : {};
}

function arrayAt(schema: JsonObject, key: string): readonly Json[] {
  const value = own(schema, key);
  return isJsonArray(value) ? value : [];
}

function resolve(schema: Json, root: Json, hops: number): JsonObject | undefined {
  if (!isJsonObject(schema) || hops > MAX_HOPS) return undefined;
  const { $ref: reference, allOf, ...rest } = schema;
  let resolved: JsonObject = rest;
  if (typeof reference === "string") {
    const target = resolve(lookUp(root, reference) ?? null, root, hops + 1);
    if (target === undefined) return undefined;
    resolved = merge(target, resolved);
  }
  for (const part of isJsonArray(allOf) ? allOf : []) {
    const target = resolve(part, root, hops + 1);
    if (target === undefined) return undefined;
    resolved = merge(target, resolved);
  }
  return resolved;
}

const isNull = (schema: Json): boolean => isJsonObject(schema) && own(schema, "type") === "null";

/** `anyOf: [X, null]` is X that may be left empty. */
function withoutNull(schema: JsonObject, root: Json): JsonObject {
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = arrayAt(schema, keyword);
    const others = branches.filter((branch) => !isNull(branch));
    const [only] = others;
    if (branches.length !== 2 || others.length !== 1 || only === undefined) continue;
    const target = resolve(only, root, 0);
    if (target === undefined) continue;
    const { [keyword]: _branches, ...rest } = schema;
    return { ...merge(target, rest), "x-nullable": true };
  }
  return schema;
}

function impliedType(schema: JsonObject): string[] {
  if (own(schema, "properties") !== undefined) return ["object"];
  if (own(schema, "items") !== undefined) return ["array"];
  const only = own(schema, "const");
  return only === undefined ? [] : [typeof only];
}

/** A schema with its references, `allOf` and null alternative folded in; undefined where that is not possible. */
export function flatten(schema: Json, root: Json): Flat | undefined {
  const resolved = resolve(schema, root, 0);
  if (resolved === undefined) return undefined;
  const plain = withoutNull(resolved, root);
  const type = own(plain, "type");
  const listed = isJsonArray(type)
    ? type.filter((entry) => typeof entry === "string")
    : [ownText(plain, "type") ?? impliedType(plain)].flat();
  return {
    schema: plain,
    types: listed.filter((entry) => entry !== "null"),
    nullable: listed.includes("null") || own(plain, "x-nullable") === true,
  };
}
