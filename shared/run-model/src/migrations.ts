import type { MigrationSet } from "@interlude/postgres";

/** Generated from `tables.ts` by `pnpm --filter @interlude/run-model migrations`; a published one is never edited. */
export const RUN_MIGRATIONS: MigrationSet = {
  name: "runs",
  folder: new URL("../drizzle/", import.meta.url),
};
