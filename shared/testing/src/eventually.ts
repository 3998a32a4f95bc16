import { setTimeout as delay } from "node:timers/promises";

/**
 * Asks again until the check holds: it throws nothing and does not answer `false`. Returns its answer,
 * or throws its last complaint once the time is over.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  options: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const { withinMs = 5_000, everyMs = 20 } = options;
  const deadline = performance.now() + withinMs;
  for (;;) {
    let complaint: unknown;
    try {
      const answer = await check();
      if (answer !== false) return answer;
      complaint = new Error(`the condition did not hold within ${withinMs} ms`);
    } catch (error) {
      complaint = error;
    }
    if (performance.now() >= deadline) throw complaint;
    await delay(everyMs);
  }
}
