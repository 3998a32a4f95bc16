import {
  type Checkpointer,
  type Client,
  InteractionCancelledError,
  InteractionFailedError,
  InterludeError,
  type DriverOptions,
  type Resolution,
  type Run,
  RunFailedError,
  SuspendedRun,
  type Turn,
} from "@interlude/sdk";
import { type BaseCheckpointSaver, isCommand } from "@langchain/langgraph";
import { checkpointerOf } from "./checkpointer-of.ts";
import { DRIVER_KEY } from "./driver-key.ts";
import { parkedRuns } from "./parked-runs.ts";
import type { OtherInterrupt, PendingAsks } from "./read-thread.ts";
import { type Drivable, openThread, type Rest, type Thread } from "./thread.ts";

type Settled = Readonly<{
  threadId: string;
  values: unknown;
  /** Interrupts that are not Interlude's: resume them yourself, with `start(threadId, new Command({ resume }))`. */
  interrupts: readonly OtherInterrupt[];
}>;

export type Outcome =
  | (Settled & { readonly status: "finished" })
  /** Waits for somebody else than Interlude: an interrupt of another kind, or a breakpoint. */
  | (Settled & { readonly status: "interrupted" })
  | (Settled & {
      readonly status: "suspended";
      readonly parkId: string;
      /** Sorted. */
      readonly interactionIds: readonly string[];
      /** The earliest deadline. */
      readonly expiryAt: string;
    });

/** How a resume or a turn ended. `completionId` is the same however often one resume is repeated. */
export type SettledRun = Settled &
  Readonly<{ status: "finished" | "interrupted" | "suspended"; completionId: string }>;

export type LanggraphDriverOptions = Readonly<{
  name: string;
  /** A compiled graph, an agent's graph, or a flow (`entrypoint`), with its checkpointer. */
  graph: Drivable;
  /** How many runs this process resumes at once; 8 by default. */
  concurrency?: number | undefined;
  /**
   * What the graph's checkpointer is, where its class does not tell, and after how long it evicts an idle thread,
   * where it does.
   */
  checkpointer?: Partial<Checkpointer> | undefined;
  /** False: only starts runs; others resume them. */
  resumes?: boolean | undefined;
  /** Further configuration of each invocation, a `recursionLimit` say. */
  config?: ((threadId: string) => Readonly<Record<string, unknown>>) | undefined;
  /** What of the final values is kept as the result of a resume (or, for a turn, replied); nothing by default. */
  result?: ((values: unknown) => unknown) | undefined;
  /** Told how each resume ended, before it is completed: at least once. */
  onSettled?: ((settled: SettledRun) => void | Promise<void>) | undefined;
  /**
   * Makes the graph's input of a message. With `undefined` it goes on without one, or goes on waiting where it waits
   * for answers. Without this, no messages are taken.
   */
  turn?: ((turn: Turn, thread: Readonly<{ values: unknown; isWaiting: boolean }>) => unknown) | undefined;
  onError?: ((error: unknown, about: Readonly<{ runId?: string; claimId?: string }>) => void) | undefined;
}>;

export interface LanggraphDriver {
  readonly name: string;
  /**
   * Runs the graph on a thread until it rests. A thread that waits for Interlude's answers is not given the input
   * (give `{ abandon: true }` to drop what it waits for): its questions are asked and parked again under the same
   * ids, which changes nothing, so that a start that broke off is simply repeated. With `null` a run goes on that
   * broke off half-way; with a `Command` an interrupt of your own is resumed.
   */
  start(threadId: string, input: unknown, options?: StartOptions): Promise<Outcome>;
  /**
   * The threads of this driver that may still go on: parked, being resumed, or failed and to be replayed. For the
   * sweep of a checkpointer; rejects when it cannot be known, and the sweep then deletes nothing.
   */
  parkedRuns(): Promise<Set<string>>;
  stop(options?: { readonly graceSeconds?: number | undefined }): Promise<void>;
}

export type StartOptions = Readonly<{ abandon?: boolean | undefined; signal?: AbortSignal | undefined }>;

/** Drives the threads of a graph: each step's questions become one park, and its answers one resume. */
export async function langgraphDriver(
  client: Client,
  options: LanggraphDriverOptions,
): Promise<LanggraphDriver> {
  const { name } = options;
  const { saver, checkpointer } = checkpointerOf(options.graph, options.checkpointer);
  const threadOf = threadsOf(client, options, saver);
  const driver = await client.driver({
    name,
    checkpointer,
    concurrency: options.concurrency,
    ...(options.resumes === false ? {} : handlersOf(options, threadOf)),
    onError: options.onError,
  });

  const start = async (threadId: string, input: unknown, given: StartOptions = {}): Promise<Outcome> => {
    let rest: Rest | undefined;
    const parked = await driver.run(
      threadId,
      async (run) => {
        const thread = threadOf(threadId, run.signal);
        const before = await thread.rest();
        const isParkedAlready = before.pending.length > 0 && !isCommand(input) && given.abandon !== true;
        rest = isParkedAlready ? before : await thread.invoke(input);
        await askAll(run, rest.pending);
      },
      { signal: given.signal },
    );
    const settled = settledOf(threadId, rest);
    if (!(parked instanceof SuspendedRun)) {
      return { ...settled, status: rest?.isFinished === true ? "finished" : "interrupted" };
    }
    const { parkId, interactionIds, expiryAt } = parked;
    return { ...settled, status: "suspended", parkId, interactionIds, expiryAt };
  };
  // Registered above: the driver is this client's own, and so its lists have every run of it.
  return { name, start, parkedRuns: () => parkedRuns(client, name), stop: (given) => driver.stop(given) };
}

type OpenThread = (threadId: string, signal: AbortSignal) => Thread;

function threadsOf(
  client: Client,
  { name, graph, config: more }: LanggraphDriverOptions,
  saver: BaseCheckpointSaver,
): OpenThread {
  return (threadId, signal) => {
    const own = more?.(threadId) ?? {};
    const configurable = { ...configurableOf(own), thread_id: threadId, [DRIVER_KEY]: name };
    const config = { durability: "sync", ...own, configurable, signal };
    const lookUp = (id: string) => resolutionOf(client, id);
    return openThread({ graph, saver, name: { driver: name, threadId }, config, lookUp });
  };
}

/** What is done with a claim: the graph goes on, and what it asks next is collected. */
function handlersOf(
  { turn: takeTurn, result, onSettled }: LanggraphDriverOptions,
  threadOf: OpenThread,
): Pick<DriverOptions, "resume" | "turn"> {
  const settle = async (threadId: string, completionId: string, run: Run, rest: Rest): Promise<unknown> => {
    await askAll(run, rest.pending);
    await onSettled?.({ ...settledOf(threadId, rest), status: statusOf(rest), completionId });
    return rest.isFinished ? result?.(rest.values) : undefined;
  };
  const resume: DriverOptions["resume"] = async ({ runId, parkId, resolutions, signal }, run) => {
    const rest = await failingForGood(() => threadOf(runId, signal).resume(resolutions));
    return rest === undefined ? undefined : settle(runId, parkId, run, rest);
  };
  if (takeTurn === undefined) return { resume };
  return {
    resume,
    turn: async ({ turn, runId, signal }, run) => {
      const thread = threadOf(runId, signal);
      const before = await thread.rest();
      const isWaiting = before.pending.length > 0;
      const input = takeTurn(turn, { values: before.values, isWaiting });
      // Run again, a step that waits would ask anew under the ids of questions that are open.
      const goesOnWaiting = isWaiting && input === undefined;
      const rest = goesOnWaiting ? before : await failingForGood(() => thread.invoke(input ?? null));
      return settle(runId, turn.turnId, run, rest);
    },
  };
}

/** Through the run's scope, which stores them, and parks on all of them, when everything has been said. */
async function askAll(run: Run, pending: readonly PendingAsks[]): Promise<void> {
  for (const { asks } of pending) {
    for (const { id, ask, link } of asks) {
      const named = { ...ask, id, mode: "async" };
      // Checked when it was asked, by field and type; the rest is the service's to refuse.
      if (link === undefined) await run.askUser(named as never);
      else await run.askExternal(link === "" ? undefined : link, named as never);
    }
  }
}

/** What no repetition mends must not be repeated: the graph did not catch how a question ended, or asked badly. */
async function failingForGood<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const [lasting] = partsOf(error).filter(isLasting);
    throw lasting === undefined ? error : new RunFailedError(lasting.message, error);
  }
}

/** Branches that fail together come as one error. */
function partsOf(error: unknown): unknown[] {
  if (!(error instanceof AggregateError)) return [error];
  const parts: unknown[] = error.errors;
  return parts;
}

function isLasting(error: unknown): error is InterludeError {
  if (error instanceof InteractionCancelledError || error instanceof InteractionFailedError) return true;
  return error instanceof InterludeError && error.code === "validation_failed";
}

/** How a question ended that another park brought; undefined while it is open, or not known any more. */
async function resolutionOf(client: Client, interactionId: string): Promise<Resolution | undefined> {
  const result = await client.result(interactionId).catch((error: unknown) => {
    if (error instanceof InterludeError && error.code === "not_found") return undefined;
    throw error;
  });
  if (result === undefined || result.status === "pending") return undefined;
  if (result.status === "answered") return { ...result, at: result.answeredAt };
  const answer = result.status === "expired" ? { answer: { interaction_expired: true } } : {};
  return { ...result, ...answer, at: new Date().toISOString() };
}

function statusOf({ pending, isFinished }: Rest): SettledRun["status"] {
  if (pending.length > 0) return "suspended";
  return isFinished ? "finished" : "interrupted";
}

function settledOf(threadId: string, rest: Rest | undefined): Settled {
  return { threadId, values: rest?.values, interrupts: rest?.others ?? [] };
}

function configurableOf(config: Readonly<Record<string, unknown>>): object {
  const { configurable } = config;
  return typeof configurable === "object" && configurable !== null ? configurable : {};
}
