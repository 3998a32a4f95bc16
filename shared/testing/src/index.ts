export { createDatabase, type TestDatabase } from "./create-database.ts";
export { eventually } from "./eventually.ts";
export { manualClock, type ManualClock } from "./manual-clock.ts";
export {
  startOwnNats,
  startOwnPostgres,
  startOwnRedis,
  temporaryHome,
  type OwnServer,
} from "./own-server.ts";
export { canHaveRedis, canStartRedis, startRedisForTests } from "./redis-for-tests.ts";
export { freePort } from "@interlude/infra-dev";
