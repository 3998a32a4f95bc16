import { statfsSync } from "node:fs";
import { openLog, provisionLog } from "@interlude/event-log";
import { INBOX_MIGRATIONS, rebuild as rebuildInbox } from "@interlude/inbox-model";
import { migrate, openDatabase } from "@interlude/postgres";
import { rebuild as rebuildRuns, RUN_MIGRATIONS } from "@interlude/run-model";

export type ProvisionOptions = {
  natsUrl: string;
  databaseUrl: string;
  maxBytes: number | undefined;
  replicas: number;
  /** A folder on the disk the log lies on, to size it by. */
  home: string;
  /** How long what came over channels is kept. */
  inboundRetentionDays: number;
  channels: readonly string[];
};

const SHARE_OF_FREE_DISK = 0.8;

/** Creates and checks streams, consumers, buckets and the database's schema; repeating it changes nothing. */
export async function provision(options: ProvisionOptions): Promise<void> {
  await Promise.all([provisionStreams(options), provisionDatabase(options.databaseUrl)]);
}

async function provisionStreams(options: ProvisionOptions): Promise<void> {
  const { natsUrl, maxBytes, replicas, home, inboundRetentionDays, channels } = options;
  const sizes = { maxBytes, defaultMaxBytes: freeDiskShare(home), replicas, inboundRetentionDays };
  const log = await openLog({ url: natsUrl, service: "provision" });
  try {
    await provisionLog(log, sizes, channels);
  } finally {
    await log.close();
  }
}

function freeDiskShare(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor(bavail * bsize * SHARE_OF_FREE_DISK);
}

async function provisionDatabase(url: string): Promise<void> {
  const database = openDatabase({ url, max: 1, applicationName: "interlude-provision" });
  try {
    await migrate(database, [INBOX_MIGRATIONS, RUN_MIGRATIONS]);
  } finally {
    await database.close();
  }
}

/** Drops the rows of the inbox and of the runs; who writes each starts again at the first event. */
export async function rebuildReadModels(databaseUrl: string): Promise<void> {
  const database = openDatabase({ url: databaseUrl, max: 1, applicationName: "interlude-rebuild" });
  try {
    await rebuildInbox(database);
    await rebuildRuns(database);
  } finally {
    await database.close();
  }
}
