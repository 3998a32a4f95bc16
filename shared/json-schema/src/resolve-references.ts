import { pointer } from "@interlude/kernel";
import type { CleanObject, Reference, SchemaReading } from "./schema-node.ts";

/**
 * Points every reference at its schema in this document, or refuses it. Targets are given short names of
 * ours under `$defs`: the compiler resolves no URI and sees no `$id`, so no two schemas can meet in it.
 */
export function resolveReferences(reading: SchemaReading): CleanObject {
  const definitions: CleanObject = {};
  const names = new Map<string, string>();
  for (const reference of reading.references) {
    const target = targetOf(reading, reference);
    if ("reason" in target) {
      const message = `${reference.keyword} of ${reference.owner} cannot be used: ${JSON.stringify(reference.text)} ${target.reason}`;
      reading.faults.push({ path: pointer(reference.from.pointer, reference.keyword), message });
      continue;
    }
    const { at } = target;
    reference.from.sameValue.push(at);
    const name = names.get(at) ?? `d${names.size}`;
    names.set(at, name);
    if (at !== "") definitions[name] = reading.nodes.get(at)?.clean;
    addReference(reference.from.clean, at === "" ? "#" : `#/$defs/${name}`);
  }
  return definitions;
}

function addReference(clean: CleanObject, ref: string): void {
  if (clean["$ref"] === undefined) {
    clean["$ref"] = ref;
    return;
  }
  const others: unknown = clean["allOf"];
  clean["allOf"] = [...(Array.isArray(others) ? (others as unknown[]) : []), { $ref: ref }];
}

type Target = { at: string } | { reason: string };

function targetOf(reading: SchemaReading, { keyword, text, base }: Reference): Target {
  const hash = text.indexOf("#");
  const fragment = decodeFragment(hash < 0 ? "" : text.slice(hash + 1));
  if (fragment === undefined || !URL.canParse(text, base)) return { reason: "is not a reference" };
  const uri = hash === 0 ? base : new URL(text, base).href.replace(/#.*$/s, "");
  const root = reading.resources.get(uri);
  if (root === undefined) return { reason: "points outside this schema" };
  if (keyword === "$dynamicRef" && reading.dynamicAnchors.filter((name) => name === fragment).length > 1) {
    return { reason: "has several targets, which is not supported" };
  }
  const isPointer = fragment === "" || fragment.startsWith("/");
  const at = isPointer ? root + fragment : reading.anchors.get(`${uri}#${fragment}`);
  return at !== undefined && reading.nodes.has(at) ? { at } : { reason: "points to no schema here" };
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** A schema that comes back to itself at the same value would be checked for ever. */
export function refuseEndlessReferences(reading: SchemaReading): void {
  const state = new Map<string, "open" | "done">();
  const visit = (at: string): boolean => {
    const known = state.get(at);
    if (known !== undefined) return known === "done";
    state.set(at, "open");
    const ends = (reading.nodes.get(at)?.sameValue ?? []).every(visit);
    state.set(at, "done");
    return ends;
  };
  for (const reference of reading.references) {
    if (visit(reference.from.pointer)) continue;
    const message = `${reference.keyword} of ${reference.owner} leads back to itself without end`;
    reading.faults.push({ path: pointer(reference.from.pointer, reference.keyword), message });
    return;
  }
}
