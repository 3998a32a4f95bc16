export { createRetention, type Retention, type RetentionDeps } from "./service.ts";
