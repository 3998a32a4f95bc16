import { type AskedData, formatInstant, type InteractionEvent } from "@interlude/contract";
import {
  addressOfAsked,
  createInteractionStore,
  type InteractionStore,
  type Log,
  openLog,
  provisionLog,
} from "@interlude/event-log";
import { INBOX_MIGRATIONS } from "@interlude/inbox-model";
import { type Database, migrate, openDatabase } from "@interlude/postgres";
import { createInboxProjector, type InboxProjector, type ProjectorStatus } from "../src/index.ts";

type Line = { level: string; message: string; fields: unknown };

/** A log with its streams, and what asks and ends questions in it. */
export async function openTestLog(url: string): Promise<{ log: Log; ask: Ask; end: End }> {
  const log = await openLog({ url, service: "inbox-projector-test" });
  await provisionLog(log, { maxBytes: 256 * 1_024 * 1_024, replicas: 1 });
  const store = createInteractionStore(log);
  return { log, ask: (id, more) => ask(store, id, more), end: (type, id) => end(store, type, id) };
}

export type Ask = (id: string, more?: Partial<AskedData>) => Promise<number>;
export type End = (type: "answered" | "cancelled" | "expired", id: string) => Promise<number>;

async function ask(store: InteractionStore, id: string, more: Partial<AskedData> = {}): Promise<number> {
  return append(store, 0, {
    type: "asked",
    data: {
      interaction_id: id,
      asker: "flow",
      group_id: `g-${id}`,
      question: `Question ${id}?`,
      answer_format: "text",
      format_payload: {},
      mode: "sync",
      created_at: formatInstant(Date.now()),
      timeout_at: formatInstant(Date.now() + 3_600_000),
      sensitive: false,
      fingerprint: "f",
      ...more,
    },
  });
}

async function end(store: InteractionStore, type: Parameters<End>[0], id: string): Promise<number> {
  const { position } = await store.read(id);
  const base = { interaction_id: id, group_id: `g-${id}`, asker: "flow", mode: "sync" as const };
  const belonging = { ...base, at: formatInstant(Date.now()) };
  switch (type) {
    case "answered":
      return append(store, position, {
        type,
        data: { ...belonging, answer: { a: 1 }, answered_by: "ann", via: "door" },
      });
    case "cancelled":
      return append(store, position, { type, data: { ...belonging, cancelled_by: "flow" } });
    case "expired":
      return append(store, position, { type, data: belonging });
  }
}

async function append(store: InteractionStore, position: number, event: InteractionEvent): Promise<number> {
  const address = addressOfAsked({ interaction_id: event.data.interaction_id });
  const outcome = await store.append(event, address, position, {
    eventId: crypto.randomUUID(),
    nowMs: Date.now(),
  });
  if (outcome.status !== "appended") throw new Error(outcome.status);
  return outcome.sequence;
}

export async function openTestDatabase(url: string): Promise<Database> {
  const database = openDatabase({ url, applicationName: "inbox-projector-test", max: 4 });
  await migrate(database, [INBOX_MIGRATIONS]);
  return database;
}

export type Watched = InboxProjector & { lines: Line[]; skipped: () => number };

/** A started projector whose log lines and counts can be read. */
export async function startProjector(log: Log, database: Database): Promise<Watched> {
  const lines: Line[] = [];
  let skipped = 0;
  const write =
    (level: string) =>
    (message: string, fields: unknown = {}) => {
      lines.push({ level, message, fields });
    };
  const projector = createInboxProjector({
    log,
    database,
    logger: { info: write("info"), warn: write("warn"), error: write("error") },
    metrics: {
      projectedSequence: { set: () => undefined },
      skippedEvents: {
        inc: (_labels, by) => {
          skipped += by;
        },
      },
    },
  });
  await projector.start();
  return { ...projector, lines, skipped: () => skipped };
}

export function stateOf(projector: { status(): ProjectorStatus }): ProjectorStatus["state"] {
  return projector.status().state;
}

/** Everything the read model holds, to be compared. */
export async function dump(database: Database): Promise<unknown> {
  return database.run(async (sql) => ({
    interactions: await sql`select i.*, i.search::text as words from interactions i order by interaction_id`,
    counters: await sql`select * from interaction_counters order by status, audience, asker, mode`,
    cursor: await sql`select * from projection_cursors`,
  }));
}
