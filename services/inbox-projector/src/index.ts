export {
  createInboxProjector,
  type InboxProjector,
  type InboxProjectorDeps,
  type ProjectorMetrics,
  type ProjectorStatus,
} from "./service.ts";
