export { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
export type { Session } from "./session.ts";
export type { Listener } from "./listening.ts";
export type { Fragment, Queries, Sql, Transaction } from "./sql.ts";
export { databaseFailure } from "./database-failure.ts";
export { migrate, type MigrationSet, verifySchema } from "./migrate.ts";
export { moveCursor, readCursor } from "./cursor.ts";
