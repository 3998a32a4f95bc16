import { jetstream, type JetStreamClient, type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { type Clock, ServiceFailure } from "@interlude/kernel";
import { createLocalClock } from "./local-clock.ts";
import { LogClock } from "./log-clock.ts";
import { createRecentEntries, type RecentEntries } from "./recent-entries.ts";
import { openRequests, type Requests } from "./requests.ts";
import { readServerAddress } from "./server-address.ts";
import { STREAMS } from "./streams.ts";

const REQUEST_TIMEOUT_MS = 5_000;
/** A server that is away takes nothing any more. */
const FLUSH_WITHIN_MS = 500;
const CLOCK_EVERY_MS = 10_000;
/** A process that starts is busy, and its first look at the clock slow: the quickest of a few counts. */
const FIRST_READINGS = 3;
/** What one reader of this process has parsed, the others meet moments later. */
const RECENT_ENTRIES = 1_024;
const MINIMUM_SERVER = [2, 14] as const;

export type LogOptions = {
  /** As `readServerAddress` takes it; may hold credentials, and is never shown. */
  url: string;
  /** Shown by the server, and part of `ce-source`. */
  service: string;
  onEvent?: (event: LogEvent) => void;
  /** Time without an offset, which must not step; tests move it. */
  localNowMs?: () => number;
};

/** What happens to the connection; for log lines and metrics. */
export type LogEvent =
  | { type: "disconnected" }
  | { type: "reconnected" }
  | { type: "closed"; reason: string }
  | { type: "clock_jumped"; jumpMs: number }
  | { type: "error"; message: string };

/** One connection to the log. Everything in this package takes it; no NATS type leaves the package. */
export interface Log {
  readonly service: string;
  readonly clock: Clock & { readonly skewMs: number; readonly isKnown: boolean };
  /** Is the server reachable now? Doors answer 503 at once when it is not. */
  isUp(): boolean;
  /** Called after every reconnect: what was missed must be read again. */
  onReconnect(listener: () => void): () => void;
  /** When the connection is over for good: with a failure, unless `close` was called. It is not opened again. */
  readonly closed: Promise<ServiceFailure | undefined>;
  close(): Promise<void>;
  /** @internal */
  readonly connection: NatsConnection;
  /** @internal */
  readonly jetstream: JetStreamClient;
  /** @internal */
  readonly manager: JetStreamManager;
  /** @internal */
  readonly requests: Requests;
  /** @internal */
  readonly recent: RecentEntries;
}

/** @throws ServiceFailure `log_unfit` when the server is too old: older ones ignore what we rely on. */
export async function openLog(options: LogOptions): Promise<Log> {
  const connection = await connectOrFail(options);
  requireVersion(connection);
  const localNowMs = options.localNowMs ?? createLocalClock();
  const tell = options.onEvent ?? (() => undefined);
  const onJump = (jumpMs: number): void => {
    tell({ type: "clock_jumped", jumpMs });
  };
  const clock = new LogClock(localNowMs, onJump, () => Date.now());
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: REQUEST_TIMEOUT_MS });
  const requests = openRequests(connection, inboxPrefix(options.service), REQUEST_TIMEOUT_MS);
  const reconnected = new Set<() => void>();
  let up = true;
  let isClosing = false;

  async function watch(): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === "disconnect") {
        up = false;
        requests.abandon("the connection to NATS was lost");
        tell({ type: "disconnected" });
      } else if (status.type === "reconnect") {
        up = true;
        tell({ type: "reconnected" });
        for (const listener of reconnected) listener();
      } else if (status.type === "error") {
        tell({ type: "error", message: status.error.message });
      }
    }
  }

  async function readClock(): Promise<void> {
    const beforeMs = localNowMs();
    const info = await manager.streams.info(STREAMS.interactions);
    if (info.ts !== undefined) clock.read({ serverMs: Date.parse(info.ts), beforeMs, afterMs: localNowMs() });
  }

  async function readFirst(): Promise<void> {
    for (let reading = 1; reading <= FIRST_READINGS; reading++) await readClock();
  }

  async function untilClosed(): Promise<ServiceFailure | undefined> {
    const cause = await connection.closed();
    up = false;
    clearInterval(timer);
    if (isClosing) return undefined;
    const reason = cause?.message ?? "no reason given";
    tell({ type: "closed", reason });
    const message = `the connection to NATS has closed for good: ${reason}`;
    return new ServiceFailure("log_unavailable", { retry: "never", cause, message });
  }

  void watch();
  // Before provisioning there is no stream to read the time from; `clock_unknown` keeps deciders away.
  await readFirst().catch(() => undefined);
  const timer = setInterval(() => void readClock().catch(() => undefined), CLOCK_EVERY_MS);
  timer.unref();

  return {
    service: options.service,
    clock,
    connection,
    manager,
    requests,
    recent: createRecentEntries(RECENT_ENTRIES),
    jetstream: jetstream(connection, { timeout: REQUEST_TIMEOUT_MS }),
    isUp: () => up && !connection.isClosed(),
    onReconnect(listener) {
      reconnected.add(listener);
      return () => reconnected.delete(listener);
    },
    closed: untilClosed(),
    async close() {
      isClosing = true;
      clearInterval(timer);
      up = false;
      requests.close();
      await (connection.isClosed() ? Promise.resolve() : closeFlushed(connection));
    },
  };
}

function inboxPrefix(service: string): string {
  return `_INBOX_${service}`;
}

async function connectOrFail(options: LogOptions): Promise<NatsConnection> {
  const { servers, credentials } = readServerAddress(options.url);
  try {
    return await connect({
      servers,
      ...credentials,
      name: `interlude-${options.service}`,
      inboxPrefix: inboxPrefix(options.service),
      maxReconnectAttempts: -1,
      // Users and passwords change while we run: refused is as away, and the next attempt may be let in.
      ignoreAuthErrorAbort: true,
      reconnectTimeWait: 250,
      reconnectJitter: 100,
      pingInterval: 5_000,
      maxPingOut: 2,
      timeout: 10_000,
      // A stack for every request that might fail costs more than the request's own code.
      noAsyncTraces: true,
    });
  } catch (cause) {
    throw new ServiceFailure("log_unavailable", {
      retry: "later",
      cause,
      message: `cannot reach NATS at ${servers.join(", ")}`,
    });
  }
}

/** Acknowledgements are only written, not waited for: a close would cut off the last of them. */
async function closeFlushed(connection: NatsConnection): Promise<void> {
  const flushed = connection.flush().catch(() => undefined);
  await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, FLUSH_WITHIN_MS).unref())]);
  await connection.close();
}

function requireVersion(connection: NatsConnection): void {
  const version = connection.info?.version ?? "0.0.0";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [needMajor, needMinor] = MINIMUM_SERVER;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return;
  void connection.close();
  throw new ServiceFailure("log_unfit", {
    retry: "never",
    message: `nats-server ${version} is too old: ${needMajor}.${needMinor} or newer is needed (older ones silently ignore filtered expectations and schedules)`,
  });
}
