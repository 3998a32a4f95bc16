import type { AskedData } from "@interlude/contract";
import { formatInstant } from "@interlude/contract";

/** What an event repeats of its question. */
export function belonging(asked: AskedData, nowMs: number) {
  return {
    interaction_id: asked.interaction_id,
    group_id: asked.group_id,
    asker: asked.asker,
    ...(asked.audience === undefined ? {} : { audience: asked.audience }),
    mode: asked.mode,
    at: formatInstant(nowMs),
  };
}
