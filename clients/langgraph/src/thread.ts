import type { Resolution } from "@interlude/sdk";
import { type BaseCheckpointSaver, Command } from "@langchain/langgraph";
import type { AnswerPayload } from "./payload.ts";
import {
  hasAsked,
  type OtherInterrupt,
  type PendingAsks,
  readHead,
  type ThreadName,
  waitingOf,
} from "./read-thread.ts";

/** What is used of a compiled graph, agent or flow. */
export interface Drivable {
  checkpointer?: unknown;
  invoke(input: unknown, config?: Record<string, unknown>): Promise<unknown>;
  getState(config: {
    configurable: Record<string, unknown>;
  }): Promise<{ values: unknown; tasks: readonly unknown[] }>;
}

/** Where a thread came to rest. */
export type Rest = Readonly<{
  /** Of ours, each waiting for answers. */
  pending: readonly PendingAsks[];
  /** Interrupts that are not ours. */
  others: readonly OtherInterrupt[];
  isFinished: boolean;
  values: unknown;
}>;

export type Thread = Readonly<{
  rest(): Promise<Rest>;
  /** Runs the graph: with an input, with a `Command`, or, with null, from where it was left. */
  invoke(input: unknown): Promise<Rest>;
  /**
   * Hands each interrupt its own answers, in one invocation. `undefined` when the thread does not wait for them and
   * never got them either: it has been moved on by others, and these answers are of the past.
   */
  resume(resolutions: readonly Resolution[]): Promise<Rest | undefined>;
}>;

export type ThreadDeps = Readonly<{
  graph: Drivable;
  saver: BaseCheckpointSaver;
  name: ThreadName;
  config: Readonly<Record<string, unknown>>;
  /** How a question ended, of an earlier park; undefined while it is open, or unknown. */
  lookUp?: (interactionId: string) => Promise<Resolution | undefined>;
}>;

/** How far back an interrupted attempt is looked for; each is one read. */
const LOOK_BACK = 1_000;
const CATCH_UPS = 10;

export function openThread({ graph, saver, name, config, lookUp }: ThreadDeps): Thread {
  const { threadId } = name;
  const where = { configurable: { thread_id: threadId } };

  const rest = async (returned?: { value: unknown }): Promise<Rest> => {
    const state = await graph.getState(where);
    const waiting = await waitingOf(name, await readHead(saver, threadId));
    // Not by `next`: it leaves out what has run, even where its step has not been taken over yet.
    const isFinished = state.tasks.length === 0;
    // A flow's state says nothing of what it returned, as long as the invocation that finished it can.
    const values = isFinished && returned !== undefined ? returned.value : state.values;
    return { ...waiting, isFinished, values };
  };
  const invoke = async (input: unknown): Promise<Rest> => {
    const value = await graph.invoke(input, { ...config });
    return rest({ value });
  };
  const pendingNow = async (): Promise<readonly PendingAsks[]> =>
    (await waitingOf(name, await readHead(saver, threadId))).pending;
  const deliver = (answers: readonly Answers[]): Promise<Rest> => {
    const resume = Object.fromEntries(answers.map(({ interruptId, payload }) => [interruptId, payload]));
    return invoke(new Command({ resume }));
  };
  /**
   * Writes of a killed attempt may have arrived in part: a nested step then asks anew what it was told before. To
   * park on a question that is over would wait for ever.
   */
  const catchUp = async (rest: Rest, byId: Map<string, Resolution>): Promise<Rest> => {
    let at = rest;
    for (let round = 0; round < CATCH_UPS; round += 1) {
      const again = at.pending.filter(({ isBegun }) => isBegun);
      for (const { id } of again.flatMap(({ asks }) => asks)) {
        const known = byId.get(id) ?? (await lookUp?.(id));
        if (known !== undefined) byId.set(id, known);
      }
      const answers = answersFor(again, byId);
      if (answers.length === 0) break;
      at = await deliver(answers);
    }
    return at;
  };
  const resume = async (resolutions: readonly Resolution[]): Promise<Rest | undefined> => {
    const byId = new Map(resolutions.map((resolution) => [resolution.interactionId, resolution]));
    const ids = new Set(byId.keys());
    let answers = answersFor(await pendingNow(), byId);
    if (answers.some(({ isBegun }) => isBegun)) {
      // An attempt broke off while handing these over. What it got done may be further than its record says, and a
      // nested step would take an answer that it already has for that of its next question: let it settle first.
      await invoke(null);
      answers = answersFor(await pendingNow(), byId);
    }
    if (answers.length > 0) return catchUp(await deliver(answers), byId);
    if (!(await isOurs(saver, name, ids))) return undefined;
    const left = await rest();
    const isHalfWay = !left.isFinished && left.pending.length === 0 && left.others.length === 0;
    return catchUp(isHalfWay ? await invoke(null) : left, byId);
  };
  return { rest: () => rest(), invoke, resume };
}

type Answers = Readonly<{ interruptId: string; isBegun: boolean; payload: AnswerPayload }>;

/** For each interrupt of whose questions all are answered: of one park, since a step's are parked together. */
function answersFor(
  pending: readonly PendingAsks[],
  byId: ReadonlyMap<string, Resolution>,
): readonly Answers[] {
  return pending.flatMap(({ interruptId, isBegun, asks }) => {
    const resolutions = asks.map(({ id }) => byId.get(id)).filter((found) => found !== undefined);
    return resolutions.length === asks.length ? [{ interruptId, isBegun, payload: { resolutions } }] : [];
  });
}

/**
 * Whether the thread got these answers in an earlier attempt, and nothing else has happened to it since. A new input,
 * a changed state or a fork are steps of their own kind.
 */
async function isOurs(
  saver: BaseCheckpointSaver,
  name: ThreadName,
  ids: ReadonlySet<string>,
): Promise<boolean> {
  let at = await readHead(saver, name.threadId);
  for (let steps = 0; at !== undefined && steps < LOOK_BACK; steps += 1) {
    if (await hasAsked(name, at, ids)) return true;
    if (at.metadata?.source !== "loop" || at.parentConfig === undefined) return false;
    at = await saver.getTuple(at.parentConfig);
  }
  return false;
}
