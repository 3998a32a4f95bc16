import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";

/** Sequences, and moments in milliseconds since the epoch. */
const whole = (name: string) => bigint(name, { mode: "number" });

/**
 * One row a park, or a turn, which has no questions (`total` 0). Everything but `remaining` comes from RUNS alone, and `remaining` is the number of its
 * questions that have not ended: neither depends on how the two streams were interleaved.
 */
export const parks = pgTable(
  "parks",
  {
    /** The sequence of its `parked` in RUNS: the same after a rebuild, and the order of lists. */
    parkSeq: whole("park_seq").primaryKey(),
    driver: text("driver").notNull(),
    /** Tokens as in the subjects of its events; the ids themselves are for people. */
    runToken: text("run_token").notNull(),
    parkToken: text("park_token").notNull(),
    runId: text("run_id").notNull(),
    parkId: text("park_id").notNull(),
    owner: text("owner").notNull(),
    state: text("state").notNull(),
    total: integer("total").notNull(),
    remaining: integer("remaining").notNull(),
    attempts: integer("attempts").notNull(),
    reason: text("reason"),
    /** Of the claim that has not ended by an event; its lease is `available_at_ms`. */
    claimId: text("claim_id"),
    /** Of its last claim. */
    fencing: whole("fencing"),
    /** From when on it may be claimed, while it is `resuming`: its request, the lease's end, the retry. */
    availableAtMs: whole("available_at_ms"),
    parkedAtMs: whole("parked_at_ms").notNull(),
    updatedAtMs: whole("updated_at_ms").notNull(),
    /** Of its last event in RUNS. */
    sequence: whole("sequence").notNull(),
    /** Its run has parked again since. */
    superseded: boolean("superseded").notNull(),
  },
  (table) => [
    uniqueIndex("parks_address").on(table.driver, table.runToken, table.parkToken),
    index("parks_newest")
      .on(table.driver, table.runToken, table.parkSeq)
      .where(sql`not superseded`),
    index("parks_claimable")
      .on(table.driver, table.availableAtMs, table.parkSeq)
      .where(sql`state = 'resuming'`),
    index("parks_resuming_run")
      .on(table.driver, table.runToken, table.parkSeq)
      .where(sql`state = 'resuming'`),
    index("parks_resuming_conversation")
      .on(table.runToken, table.parkSeq)
      .where(sql`state = 'resuming' and length(run_token) = 45 and left(run_token, 2) = 'c_'`),
    index("parks_ready")
      .on(table.parkSeq)
      .where(sql`state = 'parked' and remaining = 0`),
    index("parks_listed")
      .on(table.state, table.parkSeq)
      .where(sql`state <> 'resumed' or not superseded`),
    index("parks_listed_driver")
      .on(table.driver, table.state, table.parkSeq)
      .where(sql`state <> 'resumed' or not superseded`),
    index("parks_listed_owner")
      .on(table.owner, table.state, table.parkSeq)
      .where(sql`state <> 'resumed' or not superseded`),
  ],
);

/** Which parks wait for a question; found by the question, as its end comes with nothing else. */
export const parkAsks = pgTable(
  "park_asks",
  {
    interactionId: text("interaction_id").notNull(),
    parkSeq: whole("park_seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.interactionId, table.parkSeq] })],
);

/** One row an async question, parked or not: an end may come before the park does. */
export const runAsks = pgTable(
  "run_asks",
  {
    interactionId: text("interaction_id").primaryKey(),
    driver: text("driver").notNull(),
    deadlineMs: whole("deadline_ms").notNull(),
    /** `pending`, or how it ended first. */
    status: text("status").notNull(),
    /** Of its last event in INTERACTIONS. */
    sequence: whole("sequence").notNull(),
  },
  (table) => [
    index("run_asks_deadline")
      .on(table.driver, table.deadlineMs)
      .where(sql`status = 'pending'`),
  ],
);
