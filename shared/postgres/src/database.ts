import { connectLazily } from "./connect.ts";
import { translated } from "./database-failure.ts";
import { createListening, type Listener } from "./listening.ts";
import { openSession, type Session } from "./session.ts";
import type { Sql, Transaction } from "./sql.ts";
import { transact } from "./transact.ts";
import { within } from "./within.ts";

export type DatabaseOptions = {
  url: string;
  /** Connections at most; sessions and the listener come on top, one each. */
  max?: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  onNotice?: (message: string) => void;
};

/**
 * A pool that opens when first used and comes back by itself. While Postgres is away every call fails
 * within a few seconds with `database_unavailable`; nothing here ends the process.
 */
export interface Database {
  /** One or more queries. @throws ServiceFailure `database_unavailable`, `database_unfit` */
  run<T>(work: (sql: Sql) => Promise<T>, withinMs?: number): Promise<T>;
  /** All or nothing. @throws ServiceFailure `database_unavailable` (whether it committed is then unknown), `database_unfit` */
  transaction<T>(work: (tx: Transaction) => Promise<T>, withinMs?: number): Promise<T>;
  isUp(): Promise<boolean>;
  /** A connection of one's own, for advisory locks and what must not outlive them. */
  openSession(): Promise<Session>;
  /**
   * Calls back for each NOTIFY on the channel, and with `undefined` once listening and whenever some may
   * have been missed: register first, then look, then wait.
   */
  subscribe(channel: string, listener: Listener): () => void;
  close(): Promise<void>;
}

const DEFAULT_MAX = 10;
const ANSWER_WITHIN_MS = 10_000;
const UP_WITHIN_MS = 2_000;
const CLOSE_WITHIN_S = 2;

export function openDatabase(options: DatabaseOptions): Database {
  const connection = {
    url: options.url,
    applicationName: options.applicationName,
    statementTimeoutMs: ANSWER_WITHIN_MS,
    onNotice: options.onNotice ?? (() => undefined),
  };
  const sql = connectLazily({ ...connection, max: options.max ?? DEFAULT_MAX, plansEachQuery: true });
  const listening = createListening(sql);

  return {
    run: (work, withinMs = ANSWER_WITHIN_MS) => translated(within(withinMs, work(sql))),
    transaction: (work, withinMs = ANSWER_WITHIN_MS) => translated(within(withinMs, transact(sql, work))),
    async isUp() {
      try {
        await within(UP_WITHIN_MS, sql`select 1`);
        return true;
      } catch {
        return false;
      }
    },
    openSession: () => openSession({ ...connection, statementTimeoutMs: 0 }),
    subscribe: (channel, listener) => listening.subscribe(channel, listener),
    async close() {
      await sql.end({ timeout: CLOSE_WITHIN_S });
    },
  };
}
