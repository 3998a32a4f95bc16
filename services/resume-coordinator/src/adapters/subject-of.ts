import type { RequestContext } from "@interlude/service-kit";

/** Who acts. No door of runs can be made public, so there is always somebody. */
export function subjectOf({ credential }: RequestContext): string {
  return credential?.subject ?? "";
}
