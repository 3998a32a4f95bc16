import type { Service } from "@interlude/service-kit";
import type { ChannelDispatcherDeps } from "./ports.ts";

/** Brings questions to people where they are, and what they say back. */
export function createChannelDispatcher({ log }: ChannelDispatcherDeps): Service {
  return {
    name: "channel-dispatcher",
    routes: [],
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    health: () => ({ status: log.isUp() ? "ok" : "down" }),
  };
}
