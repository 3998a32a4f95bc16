import type { AnswerOf, Ask, AskExternal, PayloadOf, Reservation } from "./ask/ask.ts";
import type { LinkMaker } from "./ask/ask-user.ts";
import type { ChannelStatus } from "./channels.ts";
import type { Driver, DriverOptions } from "./driver/driver.ts";
import type { Json } from "./json.ts";
import type { HistoryEvent, Identity, ItemPage, ListQuery, ResultOptions } from "./reading.ts";
import type { RunHistory, RunPage, RunQuery, RunQuestionPage, RunQuestionQuery, RunStatus } from "./runs.ts";
import type { StreamOptions } from "./stream.ts";
import type { StreamFrame } from "./wire/frame.ts";
import type { Item } from "./wire/item.ts";
import type { Result } from "./wire/result.ts";
import type { Answered, AnswerOptions, Cancelled, Notification, UploadedMedia } from "./writing.ts";

/** The service, as a program sees it. Every method rejects with `InterludeError` or one of its kinds. */
export interface Client {
  /**
   * Puts a question to a person and waits for the answer. Rejects with `InteractionExpiredError`,
   * `InteractionCancelledError` or `InteractionFailedError` where there will be none.
   *
   * A sensitive answer is acknowledged, and so shredded, before it is returned, unless the ask has an `id`: then
   * it stays readable for another ask under that id until `acknowledge`, or for a day.
   */
  askUser<const A extends Ask>(ask: A): Promise<AnswerOf<A>>;
  /**
   * Sends a person to another system and waits for that system's callback; its payload is the answer. `link` is
   * a template holding `{callback_url}`, or makes the link from the callback URL; over a channel it may be
   * undefined. Rejects as `askUser` does; what the function throws is passed on, and nothing has been asked then.
   */
  askExternal<const A extends AskExternal>(link: LinkMaker | undefined, ask: A): Promise<PayloadOf<A>>;
  /** A callback address for an external question that is not asked yet; stores nothing. */
  reserve(): Promise<Reservation>;
  /** Says something that needs no answer: over a channel, or in the inbox's feed. */
  notifyUser(notification: Notification): Promise<{ notificationId: string }>;
  answer(id: string, answer: Json, options?: AnswerOptions): Promise<Answered>;
  cancel(id: string, options?: { readonly reason?: string | undefined }): Promise<Cancelled>;
  get(id: string): Promise<Item>;
  list(query?: ListQuery): Promise<ItemPage>;
  /** The pages of a list, by cursor. */
  pages(query?: ListQuery): AsyncIterable<ItemPage>;
  /** A question's history, oldest first. */
  events(id: string): Promise<readonly HistoryEvent[]>;
  /** How a question stands; with `waitSeconds` (at most 60) waits that long for its end. */
  result(id: string, options?: ResultOptions): Promise<Result>;
  /** Lets a sensitive answer be shredded now that it has been used. */
  acknowledge(id: string): Promise<void>;
  /** What happens from now on; see `StreamOptions`. */
  stream(options?: StreamOptions): AsyncIterable<StreamFrame>;
  uploadMedia(
    bytes: Blob | ArrayBuffer | Uint8Array,
    options?: { readonly contentType?: string | undefined },
  ): Promise<UploadedMedia>;
  /**
   * Registers a driver of durable runs, and starts to claim what is to be resumed where it has a handler. A name
   * that is somebody else's is `not_found`.
   */
  driver(options: DriverOptions): Promise<Driver>;
  /** One's own runs, by their newest park. */
  listRuns(query?: RunQuery): Promise<RunPage>;
  /** A run by its newest park, or by another of its parks. */
  getRun(driver: string, runId: string, parkId?: string): Promise<RunStatus>;
  /** What a run waits for, and what has arrived, some at a time. */
  runQuestions(driver: string, runId: string, query?: RunQuestionQuery): Promise<RunQuestionPage>;
  /** What happened to a run over all of its parks, oldest first. */
  runHistory(driver: string, runId: string): Promise<RunHistory>;
  /** Lets a resume that has failed for good be tried again. */
  replayRun(driver: string, runId: string): Promise<RunStatus>;
  /** The channels that there are, or should be. */
  channels(): Promise<readonly ChannelStatus[]>;
  me(): Promise<Identity>;
  /**
   * Ends this client's requests, streams and drivers; what a driver holds is handed back at once. Questions go on;
   * ask again by id to come back to one.
   */
  close(): Promise<void>;
}
