export { RedisCheckpointSaver, type SaverOptions } from "./redis-checkpoint-saver.ts";
export { CheckpointError, type CheckpointErrorCode } from "./errors.ts";
export type { RedisClient } from "./redis-client.ts";
export type { SweepOptions, Swept } from "./sweep.ts";
