import { openBucket, openLog } from "@interlude/event-log";
import { openDatabase } from "@interlude/postgres";
import { parseKeyring } from "@interlude/secrets";
import { createAnswerKeys, createMetrics, recordingLogger } from "@interlude/service-kit";
import { createRetention } from "../src/index.ts";

// A process of its own that sweeps once, by a clock that is `MOVED_DAYS` ahead; for tests that kill it. With
// `HALT_AFTER` it stands still, and says so, instead of its first purge after that many audit events.
const { NATS_URL = "", DATABASE_URL = "", KEYS = "", MOVED_DAYS = "0", HALT_AFTER } = process.env;
const log = await openLog({ url: NATS_URL, service: "retention" });
const database = openDatabase({ url: DATABASE_URL, applicationName: "retention-test" });

if (HALT_AFTER !== undefined) {
  const { streams } = log.manager;
  const purge = streams.purge.bind(streams);
  streams.purge = async (name, options) => {
    const { state } = await streams.info("AUDIT");
    if (state.last_seq <= Number(HALT_AFTER)) return purge(name, options);
    process.stdout.write("halted\n");
    return new Promise(() => undefined);
  };
}

const retention = createRetention({
  log,
  database,
  answerKeys: createAnswerKeys(await openBucket(log, "answerKeys"), parseKeyring(KEYS, "KEYS")),
  settings: { retention_days: 90 },
  logger: recordingLogger(),
  metrics: createMetrics(),
  nowMs: () => log.clock.nowMs() + Number(MOVED_DAYS) * 86_400_000,
});
await retention.sweep();
await database.close();
await log.close();
