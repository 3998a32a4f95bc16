export { createChannelDispatcher } from "./service.ts";
export type { ChannelDispatcherDeps } from "./ports.ts";
