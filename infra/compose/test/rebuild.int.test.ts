import { INBOX_MIGRATIONS } from "@interlude/inbox-model";
import { migrate, openDatabase } from "@interlude/postgres";
import { RUN_MIGRATIONS } from "@interlude/run-model";
import { createDatabase } from "@interlude/testing";
import { expect, inject, it } from "vitest";
import { rebuildReadModels } from "../src/provision.ts";

it("a rebuild empties inbox and runs, and each is made again from its first event", async () => {
  const created = await createDatabase(inject("postgresUrl"));
  const database = openDatabase({ url: created.url, applicationName: "rebuild-test" });
  try {
    await migrate(database, [INBOX_MIGRATIONS, RUN_MIGRATIONS]);
    await database.run(async (sql) => {
      await sql`insert into park_asks (interaction_id, park_seq) values ('a', 1)`;
      await sql`insert into interaction_counters values ('pending', 'async', '', 'flow', 1)`;
      await sql`insert into projection_cursors values ('inbox', 7), ('runs-runs', 8), ('runs-interactions', 9)`;
    });
    await rebuildReadModels(created.url);
    const left = await database.run(
      (sql) => sql`
        select (select sum(sequence) from projection_cursors)::int as positions,
          (select count(*) from park_asks) + (select count(*) from interaction_counters) as rows`,
    );
    expect(left).toMatchObject([{ positions: 0, rows: 0 }]);
  } finally {
    await database.close();
    await created.drop();
  }
});
