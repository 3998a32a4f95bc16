import { z } from "zod";

/** Everything of an interaction up to `sequence` of INTERACTIONS is removed: its time was over. */
export const InteractionPurgedData = z.object({
  interaction_id: z.string(),
  /** The last sequence that is removed: what is stored later under the id is another question. */
  sequence: z.number(),
  /** Whether a park has waited for it. */
  parked: z.boolean(),
  at: z.string(),
});
export type InteractionPurgedData = z.infer<typeof InteractionPurgedData>;

/** Everything of a park up to `sequence` of RUNS is removed. The names are the tokens of its subjects. */
export const ParkPurgedData = z.object({
  driver: z.string(),
  run_token: z.string(),
  park_token: z.string(),
  sequence: z.number(),
  /** What it had waited for. */
  interaction_ids: z.array(z.string()),
  at: z.string(),
});
export type ParkPurgedData = z.infer<typeof ParkPurgedData>;

export type AuditEvent =
  { type: "interaction_purged"; data: InteractionPurgedData } | { type: "park_purged"; data: ParkPurgedData };

const PREFIX = "interlude.audit.";

/** CloudEvents `type` of an audit event, e.g. `interlude.audit.interaction_purged.v1`. */
export function auditCeType(type: AuditEvent["type"]): string {
  return `${PREFIX}${type}.v1`;
}

/**
 * Reads a stored audit event; `undefined`: a type or version this process does not know.
 * @throws ZodError when the data is not what its type promises.
 */
export function parseAuditEvent(ceType: string, data: unknown): AuditEvent | undefined {
  switch (ceType) {
    case "interlude.audit.interaction_purged.v1":
      return { type: "interaction_purged", data: InteractionPurgedData.parse(data) };
    case "interlude.audit.park_purged.v1":
      return { type: "park_purged", data: ParkPurgedData.parse(data) };
    default:
      return undefined;
  }
}
