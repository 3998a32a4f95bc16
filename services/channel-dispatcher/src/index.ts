export { createChannelDispatcher } from "./service.ts";
export type { ChannelDispatcherDeps } from "./ports.ts";
export { parseRoutes, type Routes, type RoutesResult } from "./conversations/routes.ts";
