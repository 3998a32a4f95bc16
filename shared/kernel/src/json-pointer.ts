/** JSON Pointer (RFC 6901) of the given steps below `at`. */
export function pointer(at: string, ...steps: readonly PropertyKey[]): string {
  let text = at;
  for (const step of steps) text += `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return text;
}

/** The steps of a pointer, as they were before they were written. */
export function pointerSteps(path: string): string[] {
  if (path === "") return [];
  return path
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Whether a pointer leads to what stands at another one, or into it. */
export function isWithin(path: string, at: string): boolean {
  return path === at || path.startsWith(`${at}/`);
}
