import { ServiceFailure } from "@interlude/kernel";
import { pause } from "./pause.ts";

const AGAIN_AFTER_MS = 1_000;

/**
 * Repeats `work` for as long as it fails in a way that may mend itself: handing it back instead would let what
 * comes after it overtake.
 */
export async function untilDone<T>(
  work: () => Promise<T>,
  stopping: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<T> {
  // A function: that it stops must be seen after a wait too.
  const isStopping = () => stopping.aborted;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const mayMend = error instanceof ServiceFailure && error.retry === "later";
      if (!mayMend || isStopping()) throw error;
      onFailure(error);
      await pause(AGAIN_AFTER_MS, stopping);
      if (isStopping()) throw error;
    }
  }
}
