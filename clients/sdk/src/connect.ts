import { acknowledge, askExternal, askUser, reserve } from "./ask/ask-user.ts";
import { listChannels } from "./channels.ts";
import type { Client } from "./client.ts";
import type { Driver } from "./driver/driver.ts";
import { startDriver } from "./driver/start-driver.ts";
import { invalid } from "./errors.ts";
import type { Retry } from "./http/persistent.ts";
import type { ApiKey, Fetch } from "./http/transport.ts";
import { getEvents, getIdentity, getItem, getResult, listItems, listPages } from "./reading.ts";
import { getRun, listRuns, replayRun, runHistory, runQuestions } from "./runs.ts";
import { closedError, type Session } from "./session.ts";
import { follow } from "./stream.ts";
import { answerQuestion, cancelQuestion, notify, uploadMedia } from "./writing.ts";

export type ConnectOptions = Readonly<{
  /** Where Interlude answers; may have a path of its own before `/api`. */
  url: string;
  /** An API key or a JWT, or what gives the present one before each request. */
  apiKey: ApiKey;
  fetch?: Fetch | undefined;
  /**
   * How long one call goes on while the service cannot be reached. By default 30 seconds, and for a question
   * until its own deadline.
   */
  retrySeconds?: number | undefined;
  /** Told of each failed attempt that will be repeated. */
  onRetry?: ((retry: Retry) => void) | undefined;
}>;

function checkedUrl(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (protocol !== "http:" && protocol !== "https:") throw invalid("url", "must be an http or https address");
  return url;
}

function sessionOf(options: ConnectOptions, closing: AbortSignal): Session {
  return {
    origin: {
      url: checkedUrl(options.url),
      apiKey: options.apiKey,
      // Called through the global, which a page or a test may have replaced since.
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    },
    closing,
    patienceMs: options.retrySeconds === undefined ? undefined : options.retrySeconds * 1_000,
    onRetry: options.onRetry,
  };
}

/** Opens nothing yet: a client holds no connection between its calls. */
export function connect(options: ConnectOptions): Client {
  const closing = new AbortController();
  const session = sessionOf(options, closing.signal);
  const running = new Set<Promise<unknown>>();
  const drivers: Driver[] = [];
  /** Keeps hold of what runs, so that `close` returns when nothing does any more. */
  const track = async <T>(start: () => Promise<T>): Promise<T> => {
    const work = start();
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  };
  return {
    // The casts' truth is the service's: an answer of a format has its type, and a schema's own parser ran on it.
    askUser: (ask) => track(() => askUser(session, ask)) as never,
    askExternal: (link, ask) => track(() => askExternal(session, link, ask)) as never,
    reserve: () => track(() => reserve(session)),
    notifyUser: (notification) => track(() => notify(session, notification)),
    answer: (id, answer, given) => track(() => answerQuestion(session, id, answer, given)),
    cancel: (id, given) => track(() => cancelQuestion(session, id, given?.reason)),
    get: (id) => track(() => getItem(session, id)),
    list: (query) => track(() => listItems(session, query)),
    pages: (query) => listPages(session, query),
    events: (id) => track(() => getEvents(session, id)),
    result: (id, given) => track(() => getResult(session, id, given)),
    acknowledge: (id) => track(() => acknowledge(session, id)),
    stream: (given) => follow(session, given),
    uploadMedia: (bytes, given) => track(() => uploadMedia(session, bytes, given?.contentType)),
    driver: async (given) => {
      const driver = await track(() => startDriver(session, given));
      drivers.push(driver);
      return driver;
    },
    listRuns: (query) => track(() => listRuns(session, query)),
    getRun: (driver, runId, parkId) => track(() => getRun(session, driver, runId, parkId)),
    runQuestions: (driver, runId, query) => track(() => runQuestions(session, driver, runId, query)),
    runHistory: (driver, runId) => track(() => runHistory(session, driver, runId)),
    replayRun: (driver, runId) => track(() => replayRun(session, driver, runId)),
    channels: () => track(() => listChannels(session)),
    me: () => track(() => getIdentity(session)),
    close: async () => {
      await Promise.all(drivers.map((driver) => driver.stop({ graceSeconds: 0 })));
      closing.abort(closedError());
      await Promise.allSettled(running);
    },
  };
}
