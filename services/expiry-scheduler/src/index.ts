export { createExpiryScheduler, type ExpirySchedulerDeps } from "./service.ts";
