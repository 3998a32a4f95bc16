export { createResumeCoordinator, type ResumeCoordinatorDeps } from "./service.ts";
