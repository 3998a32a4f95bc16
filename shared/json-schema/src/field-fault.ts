/** One thing that is wrong. `path` is a JSON Pointer relative to what was checked; `""` is all of it. */
export type FieldFault = { readonly path: string; readonly message: string };

export function pointer(...tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function pointerTokens(path: string): string[] {
  if (path === "") return [];
  return path
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
