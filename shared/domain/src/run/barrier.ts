import { sha256Base64Url } from "@interlude/kernel";

const SET_ID_CHARS = 40;

/** The questions of a park as they are stored: each once, in one order, so that a set has one form. */
export function parkSet(interactionIds: readonly string[]): string[] {
  return [...new Set(interactionIds)].sort();
}

/** The id of a set of questions, in whatever order and however often each was named. */
export function parkSetId(interactionIds: readonly string[]): string {
  return `p_${sha256Base64Url(parkSet(interactionIds).join("\n")).slice(0, SET_ID_CHARS)}`;
}

/** How many questions a park still waits for; at 0 its run is to go on, in whatever order they ended. */
export function remainingOf(
  interactionIds: readonly string[],
  hasEnded: (interactionId: string) => boolean,
): number {
  return parkSet(interactionIds).filter((id) => !hasEnded(id)).length;
}
