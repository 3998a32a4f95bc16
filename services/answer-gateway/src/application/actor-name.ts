import type { Actor } from "@interlude/domain";
import { unreachable } from "@interlude/kernel";

/** How an actor is named in events: `answered_by`, `cancelled_by`. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case "subject":
      return actor.subject;
    case "anonymous":
      return "anonymous";
    case "ticket":
      return "external-callback";
    default:
      return unreachable(actor);
  }
}
