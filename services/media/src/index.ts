export { createMedia, type MediaDeps } from "./service.ts";
