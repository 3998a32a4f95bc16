/** One thing that is wrong. `path` is a JSON Pointer relative to what was checked; `""` is all of it. */
export type FieldFault = { readonly path: string; readonly message: string };
