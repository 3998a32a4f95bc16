import { ServiceFailure } from "@interlude/kernel";
import { connectLazily, type ConnectOptions } from "./connect.ts";
import { translated } from "./database-failure.ts";
import type { Sql, Transaction } from "./sql.ts";
import { transact } from "./transact.ts";
import { within } from "./within.ts";

/**
 * One connection with its advisory locks: once it is lost, so are they, and every call fails. It writes
 * projections: commits do not wait for the disk.
 */
export interface Session {
  readonly isLost: boolean;
  /** Takes a lock that lasts as long as the session; `false` while another session has it. */
  tryLock(name: string): Promise<boolean>;
  run<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const OPEN_WITHIN_MS = 5_000;
const WORK_WITHIN_MS = 60_000;
const CLOSE_WITHIN_S = 1;

/** @throws ServiceFailure `database_unavailable` */
export async function openSession(options: Omit<ConnectOptions, "max" | "onClose">): Promise<Session> {
  let isLost = false;
  const sql = connectLazily({
    ...options,
    max: 1,
    commitsAhead: true,
    onClose: () => {
      isLost = true;
    },
  });

  async function use<T>(withinMs: number, work: () => Promise<T>): Promise<T> {
    // The driver would connect anew, without the locks.
    if (isLost)
      throw new ServiceFailure("database_unavailable", { retry: "later", message: "the session is lost" });
    return translated(within(withinMs, work()));
  }

  const session: Session = {
    get isLost() {
      return isLost;
    },
    async tryLock(name) {
      const [row] = await use(
        OPEN_WITHIN_MS,
        () => sql<{ locked: boolean }[]>`select pg_try_advisory_lock(hashtextextended(${name}, 0)) as locked`,
      );
      return row?.locked === true;
    },
    run: (work) => use(WORK_WITHIN_MS, () => work(sql)),
    transaction: (work) => use(WORK_WITHIN_MS, () => transact(sql, work)),
    async close() {
      isLost = true;
      await sql.end({ timeout: CLOSE_WITHIN_S });
    },
  };
  try {
    await translated(within(OPEN_WITHIN_MS, sql`select 1`));
    return session;
  } catch (error) {
    void session.close();
    throw error;
  }
}
