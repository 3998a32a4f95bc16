/** Enough for the schemas in use; a compiled schema keeps some hundred kilobytes. */
const MAX_ENTRIES = 256;
/** Large schemas compile to large code: together no more than this much source. */
const MAX_SOURCE = 2 * 1024 * 1024;

export type SchemaCache<Value> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value, sourceLength: number): void;
};

/** Keeps what was used last, bounded by count and by size of source. */
export function createSchemaCache<Value>(): SchemaCache<Value> {
  const entries = new Map<string, { value: Value; sourceLength: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= entries.get(key)?.sourceLength ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, sourceLength) {
      drop(key);
      entries.set(key, { value, sourceLength });
      total += sourceLength;
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_ENTRIES && total <= MAX_SOURCE) break;
        drop(oldest);
      }
    },
  };
}
