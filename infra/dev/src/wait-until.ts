import { setTimeout as delay } from "node:timers/promises";

/** Asks again until the condition holds; false when the time ran out first. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  options: { withinMs: number; everyMs?: number },
): Promise<boolean> {
  const deadline = performance.now() + options.withinMs;
  while (!(await condition())) {
    if (performance.now() >= deadline) return false;
    await delay(options.everyMs ?? 25);
  }
  return true;
}
