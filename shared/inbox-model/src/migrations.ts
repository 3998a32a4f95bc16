import type { MigrationSet } from "@interlude/postgres";

/** Generated from `tables.ts` by `pnpm --filter @interlude/inbox-model migrations`; a published one is never edited. */
export const INBOX_MIGRATIONS: MigrationSet = {
  name: "inbox",
  folder: new URL("../drizzle/", import.meta.url),
};
