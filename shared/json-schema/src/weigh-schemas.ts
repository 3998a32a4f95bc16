import { CHECK_BUDGET, SUBSCHEMA_COST } from "./limits.ts";
import type { CleanObject, SchemaNode, SchemaReading } from "./schema-node.ts";

/** Below this a schema's own work is bounded by the size of the value. */
const LIGHT = 8;

const LISTS = ["required", "dependentRequired", "dependencies", "properties", "patternProperties"];

/** Marks the schemas that cost more than the value's own size: choices, references, long lists of names. */
export function weigh(reading: SchemaReading): void {
  for (const node of reading.nodes.values()) {
    if (typeof node.clean === "boolean") continue;
    const weight = 1 + node.sameValue.length + entriesOf(node.clean);
    if (node.sameValue.length > 0 || weight > LIGHT) node.clean["x-step"] = weight;
  }
}

function entriesOf(clean: CleanObject): number {
  const sizes = LISTS.map((keyword) => {
    const value = clean[keyword];
    return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What one check of one value may take of `x-step`. */
const MAX_STEPS = CHECK_BUDGET / SUBSCHEMA_COST;

/**
 * A schema whose choices and references multiply until no value could be checked against it, at the first place
 * where they are too many. What is refused when it is asked would refuse every answer later.
 */
export function refuseMultiplying(reading: SchemaReading): void {
  const steps = new Map<string, number>();
  const count = ({ pointer, clean, sameValue }: SchemaNode): number => {
    const known = steps.get(pointer);
    if (known !== undefined) return known;
    const weight = typeof clean === "boolean" ? 0 : clean["x-step"];
    const own = typeof weight === "number" ? weight : 0;
    const sum = sameValue.reduce((total, at) => total + countAt(at), own);
    steps.set(pointer, sum);
    return sum;
  };
  const countAt = (at: string): number => {
    const node = reading.nodes.get(at);
    return node === undefined ? 0 : count(node);
  };
  for (const node of reading.nodes.values()) {
    const isFirst = count(node) > MAX_STEPS && node.sameValue.every((at) => countAt(at) <= MAX_STEPS);
    if (!isFirst) continue;
    const message = `allOf, anyOf, oneOf and $ref multiply here: one value would have to pass more than ${MAX_STEPS} checks`;
    reading.faults.push({ path: node.pointer, message });
    return;
  }
}
