import { sql } from "drizzle-orm";
import {
  bigint,
  customType,
  index,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
/** Moments are milliseconds since the epoch: no zone can shift them, no finer digits can hide in them. */
const moment = (name: string) => bigint(name, { mode: "number" });

/**
 * One row a question. `question` is `json`, not `jsonb`: it keeps the order of a schema's properties, which
 * is the order of a form's fields.
 */
export const interactions = pgTable(
  "interactions",
  {
    interactionId: text("interaction_id").primaryKey(),
    seqAsked: bigint("seq_asked", { mode: "number" }).notNull(),
    seqLast: bigint("seq_last", { mode: "number" }).notNull(),
    status: text("status").notNull(),
    mode: text("mode").notNull(),
    answerFormat: text("answer_format").notNull(),
    asker: text("asker").notNull(),
    /** Empty: for every answerer. */
    audience: text("audience").notNull(),
    groupId: text("group_id").notNull(),
    channel: text("channel"),
    /** Which chat it is asked in, by its hash. */
    conversation: text("conversation"),
    deadlineMs: moment("deadline_ms").notNull(),
    resolvedMs: moment("resolved_ms"),
    answeredBy: text("answered_by"),
    /** Never a sensitive one. */
    answer: jsonb("answer"),
    /** The last of each kind of a channel's events; `null`: none yet. */
    delivery: jsonb("delivery"),
    /** The part of the item that never changes. */
    question: json("question").notNull(),
    /** `{link, ticket}` of an external question: what the gateway makes its `url` of. */
    external: json("external"),
    search: tsvector("search").notNull(),
  },
  (table) => [
    uniqueIndex("interactions_seq").on(table.seqAsked),
    index("interactions_pending")
      .on(table.audience, table.seqAsked)
      .where(sql`status = 'pending'`),
    index("interactions_pending_seq")
      .on(table.seqAsked, table.deadlineMs)
      .where(sql`status = 'pending'`),
    index("interactions_pending_deadline")
      .on(table.deadlineMs, table.seqAsked)
      .where(sql`status = 'pending'`),
    index("interactions_ended")
      .on(table.status, table.seqAsked)
      .where(sql`status <> 'pending'`),
    index("interactions_deadline").on(table.deadlineMs, table.seqAsked),
    index("interactions_pending_asker")
      .on(table.asker, table.seqAsked)
      .where(sql`status = 'pending'`),
    index("interactions_asker").on(table.asker, table.seqAsked),
    index("interactions_pending_conversation")
      .on(table.conversation)
      .where(sql`status = 'pending' and conversation is not null`),
    index("interactions_group").on(table.groupId),
    index("interactions_audience").on(table.audience, table.seqAsked),
    index("interactions_search").using("gin", table.search),
  ],
);

/** How many questions there are of each kind, so that totals need no count; a kind without any has no row. */
export const interactionCounters = pgTable(
  "interaction_counters",
  {
    status: text("status").notNull(),
    mode: text("mode").notNull(),
    audience: text("audience").notNull(),
    asker: text("asker").notNull(),
    count: bigint("count", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.status, table.audience, table.asker, table.mode] }),
    index("interaction_counters_asker").on(table.asker, table.status),
    index("interaction_counters_empty")
      .on(table.status)
      .where(sql`count = 0`),
  ],
);
