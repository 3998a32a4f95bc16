function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Where names of the contract stand below names of the contract; everything else is somebody's own. */
const WITHIN = new Set(["items", "item", "delivery", "error", "key", "questions", "history", "capabilities"]);

/** The HTTP names of what the SDK gives, so that scripts meet one set of names everywhere. */
export function contractNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(contractNames);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      snake(name),
      WITHIN.has(name) ? contractNames(inner) : inner,
    ]),
  );
}
