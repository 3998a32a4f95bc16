export { createDatabase, type TestDatabase } from "./create-database.ts";
export { eventually } from "./eventually.ts";
export { manualClock, type ManualClock } from "./manual-clock.ts";
export { startOwnNats, startOwnPostgres, temporaryHome, type OwnServer } from "./own-server.ts";
export { freePort } from "@interlude/infra-dev";
