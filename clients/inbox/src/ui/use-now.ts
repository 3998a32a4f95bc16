import { useSyncExternalStore } from "react";
import { serverNowMs } from "../api/server-time.ts";

/** The present moment, rounded down to `everyMs`, so that a component renders once a tick and not more. */
export function useNow(everyMs: number): number {
  return useSyncExternalStore(
    (changed) => {
      const timer = setInterval(changed, Math.min(everyMs, 1_000));
      return () => {
        clearInterval(timer);
      };
    },
    () => Math.floor(serverNowMs() / everyMs) * everyMs,
  );
}
