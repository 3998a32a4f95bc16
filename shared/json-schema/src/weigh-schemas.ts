import type { CleanObject, SchemaReading } from "./schema-node.ts";

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
