export { accept, refuse, type Decision } from "./decision.ts";
export { FAILURE_CODES, ServiceFailure, settle, type FailureCode, type FailureOptions } from "./failure.ts";
export { unreachable } from "./unreachable.ts";
export type { Clock } from "./clock.ts";
export { idempotentId, PARTITIONS, partitionOf, sha256Base64Url, subjectToken, uuidV7 } from "./ids.ts";
export type { Json, JsonObject } from "./json.ts";
