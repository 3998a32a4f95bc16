import { setTimeout } from "node:timers/promises";
import { CAPS } from "@interlude/contract";
import type { NotificationFate, NotificationStore } from "@interlude/event-log";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

export type AwaitNotificationDeps = {
  notifications: Pick<NotificationStore, "fateOf">;
  /** Aborted when the caller or this process goes. */
  signal: AbortSignal;
};

/**
 * Waits until it is known what became of a channel's notification, as long as a request may be held.
 * `undefined`: it is still on its way. What becomes of notifications is looked for, since no tail reads their stream.
 */
export async function awaitNotification(
  { notifications, signal }: AwaitNotificationDeps,
  id: string,
): Promise<NotificationFate | undefined> {
  const untilMs = performance.now() + CAPS.WAIT_MAX_SECONDS * 1_000;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const fate = await notifications.fateOf(id);
    if (fate !== undefined || signal.aborted || performance.now() + pauseMs > untilMs) return fate;
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
