/** `path` is a JSON Pointer into the body, or the name of a query parameter or header. */
export type FieldFault = Readonly<{ path: string; message: string }>;

export type Parsed<T> = { ok: true; value: T } | { ok: false; faults: readonly FieldFault[] };

/** The value when nothing is wrong with it. */
export function verdict<T>(faults: readonly FieldFault[], value: T): Parsed<T> {
  return faults.length === 0 ? { ok: true, value } : { ok: false, faults };
}
