import type { Me } from "../api/doors.ts";

/** Runs are for who asks, which sees its own, and for operators. */
export function maySeeRuns({ roles }: Me): boolean {
  return roles.includes("asker") || roles.includes("operator");
}
