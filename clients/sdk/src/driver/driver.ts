import type { AnswerOf, Ask, AskCommon, AskExternal, PayloadOf } from "../ask/ask.ts";
import type { LinkMaker } from "../ask/ask-user.ts";
import type { Json } from "../json.ts";
import type { Suspended, SuspendedRun } from "../suspended.ts";
import type { UploadedMedia } from "../writing.ts";
import type { Checkpointer } from "./checkpointer.ts";
import type { Received } from "./receive.ts";

/** An ask from inside a run. */
export type InRun<A extends AskCommon> = A &
  Readonly<{
    /**
     * Names the question within its run, for ever: a handler that runs again after a crash and asks under the same
     * key with the same content asks the same question, never a second one. Instead of `id`.
     */
    key?: string | undefined;
  }>;

type Later<A, Answer> = A extends { readonly mode: "async" } ? Suspended : Answer;

/** What a program may do on behalf of a run while it drives it. */
export interface Run {
  readonly runId: string;
  /** Aborted when this process must not go on: its lease is lost, or the driver has been stopped. */
  readonly signal: AbortSignal;
  /**
   * Sync: asks and waits, as the client does. Async (`mode: "async"`, `expiryAt`): gives a `Suspended` at once; the
   * question is stored, and the run parked, when the function that was given this run has returned. If it throws,
   * nothing has been asked.
   */
  askUser<const A extends InRun<Ask>>(ask: A): Promise<Later<A, AnswerOf<A>>>;
  /** The same for another system's callback. Where a function makes the link, it is called at once. */
  askExternal<const A extends InRun<AskExternal>>(
    link: LinkMaker | undefined,
    ask: A,
  ): Promise<Later<A, PayloadOf<A>>>;
  uploadMedia(
    bytes: Blob | ArrayBuffer | Uint8Array,
    options?: { readonly contentType?: string | undefined },
  ): Promise<UploadedMedia>;
}

/** How one question of a park ended. */
export type Resolution = Readonly<{
  interactionId: string;
  status: "answered" | "expired" | "cancelled" | "failed";
  /**
   * Of an expired question the marker `{ interaction_expired: true }`; absent of a cancelled or failed one, and of
   * a sensitive answer that is no longer kept.
   */
  answer?: Json | undefined;
  params?: Readonly<Record<string, string>> | undefined;
  reason?: string | undefined;
  answeredBy?: string | undefined;
  at: string;
}>;

export type Resumption = Readonly<{
  runId: string;
  parkId: string;
  /** In whose name the run goes on: whoever asked, whoever answered. */
  identity: Readonly<{ subject: string; groups: readonly string[] }>;
  resolutions: readonly Resolution[];
  /** Rises with every start of this resume. Effects that must not happen twice carry it. */
  fencing: number;
  signal: AbortSignal;
}>;

/** A file that a person sent; where the provider gives it no address, by the provider's own id. */
export type TurnMedia = Readonly<{
  kind: string;
  url?: string | undefined;
  id?: string | undefined;
  contentType?: string | undefined;
}>;

/** A message from a conversation, which starts or continues a run. */
export type Turn = Readonly<{
  turnId: string;
  /** The same for all that is said in this conversation. */
  runId: string;
  channel: string;
  /** The conversation: good as the `recipient` of what is asked there. */
  thread: string;
  /** The provider's id of the person. */
  from: string;
  text: string;
  params?: Readonly<Record<string, string>> | undefined;
  media?: readonly TurnMedia[] | undefined;
  at: string;
}>;

export type TurnCall = Readonly<{ turn: Turn; runId: string; fencing: number; signal: AbortSignal }>;

export type DriverOptions = Readonly<{
  /** Up to 64 of `A-Z a-z 0-9 _ -`; belongs to the first subject that registers it. */
  name: string;
  /** Where the state of a waiting run is kept. */
  checkpointer: Checkpointer;
  /** How many claims this process works on at once; 8 by default. */
  concurrency?: number | undefined;
  /** Lets the service post continuations to an address; this process then claims none. See `receive`. */
  deliver?: Readonly<{ url: string; secretRef: string }> | undefined;
  /**
   * Goes on with a run whose questions have all ended. It may run more than once for one park, after a crash say,
   * each time with a higher `fencing`; it completes once. What it returns is kept as the result; when it has asked
   * again, the run parks again and the returned value is dropped. When it throws it is tried again later, unless
   * it throws a `RunFailedError`.
   */
  resume?: ((resumption: Resumption, run: Run) => unknown) | undefined;
  /** Answers a message from a conversation: what it returns is said there, by the route's mapping. The same rules. */
  turn?: ((call: TurnCall, run: Run) => unknown) | undefined;
  /** Told of what goes wrong where nobody awaits it: a handler that threw, a service out of reach. */
  onError?: ((error: unknown, about: Readonly<{ runId?: string; claimId?: string }>) => void) | undefined;
}>;

export interface Driver {
  readonly name: string;
  /**
   * Runs `work` as the run `runId`. Resolves to what `work` returned, or, when it has asked in async mode, to the
   * receipt of the park: the run goes on in `resume`, in whichever process claims it.
   */
  run<T>(
    runId: string,
    work: (run: Run) => T | Promise<T>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<SuspendedRun | T>;
  /**
   * Handles a continuation that the service posted to `deliver.url`: `rawBody` as it came, `signature` the header
   * `interlude-signature`. Resolves to what to answer with; rejects with `invalid_signature` (answer 401) for what
   * the service has not signed with `secret`.
   */
  receive(
    request: Readonly<{
      rawBody: string | Uint8Array;
      signature: string | null | undefined;
      secret: string;
      signal?: AbortSignal | undefined;
    }>,
  ): Promise<Received>;
  /**
   * Takes no more claims and waits for those in hand; what is not done within the grace (25 s) is aborted and handed
   * back, to be resumed elsewhere.
   */
  stop(options?: { readonly graceSeconds?: number | undefined }): Promise<void>;
}
