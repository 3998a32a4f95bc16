/**
 * A worker as a process of its own, for tests that kill, pause or mislead it. For each resume it writes down what it
 * was given, under the resume's fencing number, before it completes.
 */
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase } from "@interlude/postgres";
import { connect } from "@interlude/sdk";
import { toAnyProcess } from "./any-process.ts";

const {
  URLS = "",
  KEY = "",
  EFFECTS_URL = "",
  DRIVER = "",
  WORK_MS = "20",
  LEAST_WORK_MS = "0",
} = process.env;
const urls = URLS.split(",");
const effects = openDatabase({ url: EFFECTS_URL, applicationName: "run-worker", max: 4 });

const client = connect({ url: urls[0] ?? "", apiKey: KEY, fetch: toAnyProcess(urls) });

await client.driver({
  name: DRIVER,
  checkpointer: { kind: "postgres" },
  async resume({ runId, fencing, resolutions }) {
    const ends = Object.fromEntries(resolutions.map((each) => [each.interactionId, each.answer ?? null]));
    const worker = `${process.pid}`;
    await effects.run(
      (sql) => sql`
        insert into effects (run_id, fencing, ends, worker)
        values (${runId}, ${fencing}, ${JSON.stringify(ends)}, ${worker})
        on conflict (run_id, fencing) do update set times = effects.times + 1`,
    );
    const least = Number(LEAST_WORK_MS);
    await delay(least + Math.random() * (Number(WORK_MS) - least));
  },
});
process.stdout.write("ready\n");
