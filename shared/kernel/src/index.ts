export { accept, refuse, type Decision } from "./decision.ts";
export { FAILURE_CODES, ServiceFailure, settle, type FailureCode, type FailureOptions } from "./failure.ts";
export { within } from "./within.ts";
export { unreachable } from "./unreachable.ts";
export type { Clock } from "./clock.ts";
export { idempotentId, PARTITIONS, partitionOf, sha256Base64Url, subjectToken, uuidV7 } from "./ids.ts";
export { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from "./json.ts";
export { canonicalJson } from "./canonical-json.ts";
export { pointer, pointerSteps } from "./json-pointer.ts";
