import { type Json, type JsonObject, pointer } from "@interlude/kernel";
import { dialectOf } from "./dialect.ts";
import type { CleanObject, SchemaNode, SchemaReading } from "./schema-node.ts";

type Place = { readonly pointer: string; readonly owner: string; readonly base: string };

/** Reads what names a schema or points to another. Returns the base that its references resolve against. */
export function readIdentity(
  reading: SchemaReading,
  schema: JsonObject,
  node: SchemaNode & { readonly clean: CleanObject },
  place: Place,
): string {
  const refuse = (keyword: string, rule: string): void => {
    reading.faults.push({
      path: pointer(place.pointer, keyword),
      message: `${keyword} of ${place.owner} ${rule}`,
    });
  };
  const named = (keyword: string): string | undefined => {
    const value: Json | undefined = schema[keyword];
    if (value === undefined || typeof value === "string") return value;
    refuse(keyword, "must be a string");
    return undefined;
  };
  const own = Object.hasOwn(schema, "$schema") ? dialectOf(schema) : reading.dialect;
  if (own !== reading.dialect)
    refuse("$schema", "must be JSON Schema 2020-12 or draft-07, and one for the whole");
  const ref = named("$ref");
  const isAlias = reading.dialect === "draft-07" && ref !== undefined;
  const base = isAlias ? place.base : readId(reading, named("$id"), place, refuse);
  const refer = (keyword: "$ref" | "$dynamicRef", text: string | undefined): void => {
    if (text === undefined) return;
    reading.references.push({ from: node, keyword, text, base, owner: place.owner });
  };
  refer("$ref", ref);
  if (reading.dialect === "2020-12") {
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const anchor = named(keyword);
      if (anchor !== undefined) addAnchor(reading, anchor, keyword, base, place, refuse);
    }
    refer("$dynamicRef", named("$dynamicRef"));
  }
  return base;
}

type Refuse = (keyword: string, rule: string) => void;

function readId(reading: SchemaReading, id: string | undefined, place: Place, refuse: Refuse): string {
  if (id === undefined || id === "" || id === "#") return place.base;
  if (id.startsWith("#") && reading.dialect === "draft-07") {
    addAnchor(reading, id.slice(1), "$id", place.base, place, refuse);
    return place.base;
  }
  const absolute = URL.canParse(id, place.base) ? new URL(id, place.base).href.replace(/#$/, "") : undefined;
  if (absolute === undefined || absolute.includes("#")) {
    refuse("$id", "must be a URI without a fragment");
    return place.base;
  }
  if (reading.resources.has(absolute)) refuse("$id", "is used twice");
  reading.resources.set(absolute, place.pointer);
  return absolute;
}

function addAnchor(
  reading: SchemaReading,
  anchor: string,
  keyword: string,
  base: string,
  place: Place,
  refuse: Refuse,
): void {
  if (!/^[A-Za-z_][-A-Za-z0-9._]*$/.test(anchor)) {
    refuse(keyword, "must be a plain name");
    return;
  }
  const key = `${base}#${anchor}`;
  const taken = reading.anchors.get(key);
  if (taken !== undefined && taken !== place.pointer) refuse(keyword, "is used twice");
  reading.anchors.set(key, place.pointer);
  if (keyword === "$dynamicAnchor") reading.dynamicAnchors.push(anchor);
}
