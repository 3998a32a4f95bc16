import { z } from "zod";

/** What every event after the first repeats of its question, so that readers can filter without a look-up. */
export const Belonging = {
  interaction_id: z.string(),
  group_id: z.string(),
  asker: z.string(),
  audience: z.string().optional(),
  mode: z.enum(["sync", "async"]),
  at: z.string(),
};
