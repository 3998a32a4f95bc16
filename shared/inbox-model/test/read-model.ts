import {
  type AnsweredData,
  type AskedData,
  formatInstant,
  type InteractionEvent,
  type ListQuery,
} from "@interlude/contract";
import type { Role } from "@interlude/domain";
import { type Database, migrate, openDatabase } from "@interlude/postgres";
import { createDatabase } from "@interlude/testing";
import { applyBatch, foldBatch, INBOX_MIGRATIONS, type ProjectedEntry, type Reader } from "../src/index.ts";

export const NOW_MS = Date.parse("2031-03-01T12:00:00.000Z");

export interface ReadModel {
  readonly database: Database;
  close(): Promise<void>;
}

/** An empty read model in a database of its own. */
export async function openReadModel(adminUrl: string): Promise<ReadModel> {
  const created = await createDatabase(adminUrl);
  const database = openDatabase({ url: created.url, applicationName: "inbox-model-test" });
  await migrate(database, [INBOX_MIGRATIONS]);
  return {
    database,
    async close() {
      await database.close();
      await created.drop();
    },
  };
}

export function askedEvent(id: string, more: Partial<AskedData> = {}): InteractionEvent {
  return {
    type: "asked",
    data: {
      interaction_id: id,
      asker: "flow",
      group_id: `group-of-${id}`,
      question: `Question ${id}?`,
      answer_format: "text",
      format_payload: {},
      mode: "sync",
      created_at: formatInstant(NOW_MS - 1_000),
      timeout_at: formatInstant(NOW_MS + 3_600_000),
      sensitive: false,
      fingerprint: "f",
      ...more,
    },
  };
}

type EndType = Exclude<InteractionEvent["type"], "asked">;

export function endEvent(
  type: EndType,
  id: string,
  answer: Partial<AnsweredData> = { answer: "yes" },
): InteractionEvent {
  const belonging = {
    interaction_id: id,
    group_id: `group-of-${id}`,
    asker: "flow",
    mode: "sync" as const,
    at: formatInstant(NOW_MS),
  };
  switch (type) {
    case "answered":
      return { type, data: { ...belonging, answered_by: "ann", via: "door", ...answer } };
    case "expired":
      return { type, data: belonging };
    case "cancelled":
      return { type, data: { ...belonging, cancelled_by: "flow" } };
    case "failed":
      return { type, data: { ...belonging, reason: "no such number" } };
  }
}

/** Events with the sequences that follow `after`. */
export function sequenced(events: readonly ProjectedEntry["entry"][], after = 0): ProjectedEntry[] {
  return events.map((entry, index) => ({ sequence: after + index + 1, entry }));
}

/** Writes the entries as a projector would, in batches of `size`. */
export async function project(
  database: Database,
  entries: readonly ProjectedEntry[],
  size = 1_000,
  from = 0,
) {
  let position = from;
  for (let at = 0; at < entries.length; at += size) {
    const batch = foldBatch(entries.slice(at, at + size));
    const expected = position;
    if (!(await database.transaction((tx) => applyBatch(tx, batch, expected))))
      throw new Error("cursor elsewhere");
    position = batch.sequence;
  }
}

export function listQuery(more: Partial<ListQuery> = {}): ListQuery {
  const window = more.cursor === undefined ? { page: 1 } : {};
  return { status: "pending", sort: "created_at", page_size: 50, ...window, ...more };
}

export function subject(name: string, roles: readonly Role[], groups: readonly string[] = []): Reader {
  return { kind: "subject", subject: name, roles, groups };
}

export const OPERATOR = subject("root", ["operator"]);
