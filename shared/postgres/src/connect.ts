import postgres from "postgres";
import { ServiceFailure } from "@interlude/kernel";
import type { Sql } from "./sql.ts";

export type ConnectOptions = {
  url: string;
  applicationName: string;
  /** Connections at most; each opens when it is first needed. */
  max: number;
  statementTimeoutMs: number;
  onNotice: (message: string) => void;
  /** Plan each query for its values: lists lean on partial indexes and on how often a value occurs. */
  plansEachQuery?: boolean;
  /**
   * Commits do not wait for the disk: what a crash of Postgres takes back, rows and cursor, is read from the log
   * again. For projections only.
   */
  commitsAhead?: boolean;
  onClose?: () => void;
};

const CONNECT_TIMEOUT_S = 3;
/** Seconds between attempts: the driver's own backoff grows to 20 s, which a request would have to wait out. */
const RETRY_AFTER_S = 0.2;

/** One driver client. Nothing connects before the first query. */
export function connectLazily(options: ConnectOptions): Sql {
  try {
    return create(options);
  } catch {
    // The error carries the address, which may hold a password: not even as a cause is it passed on.
    const message = "DATABASE_URL is no address of the form postgres://user:password@host:port/database";
    throw new ServiceFailure("configuration_invalid", { retry: "never", message });
  }
}

function create(options: ConnectOptions): Sql {
  return postgres(options.url, {
    max: options.max,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: () => RETRY_AFTER_S,
    // Advisory locks live in the connection; the driver would otherwise replace it after 45 minutes.
    max_lifetime: null,
    keep_alive: 5,
    connection: {
      application_name: options.applicationName,
      TimeZone: "UTC",
      plan_cache_mode: options.plansEachQuery === true ? "force_custom_plan" : "auto",
      synchronous_commit: options.commitsAhead === true ? "off" : "on",
      statement_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: 30_000,
      tcp_keepalives_idle: 5,
      tcp_keepalives_interval: 2,
      tcp_keepalives_count: 3,
    },
    types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
    onnotice: (notice) => {
      options.onNotice(notice["message"] ?? "");
    },
    ...(options.onClose === undefined ? {} : { onclose: options.onClose }),
  });
}
