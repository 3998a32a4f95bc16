import { setTimeout as delay } from "node:timers/promises";
import { type Client, type Driver, InterludeError, SuspendedRun } from "@interlude/sdk";
import type { ExpectedRun } from "./run-story.ts";

const EXPIRED = { interaction_expired: true } as const;
const HOUR_MS = 3_600_000;

export type FanOutOptions = {
  asker: Client;
  answerer: Client;
  driver: string;
  runs: number;
  /** At most; each run has from one to so many. */
  asks: number;
  /** The share of questions that end soon, half of them with answers under way. */
  expiring: number;
  /** From when to when those end, from their ask. */
  expiryMs: readonly [number, number];
  random: () => number;
  /** What the asker's wall clock shows, where deadlines are meant by another one. */
  nowMs?: () => number;
};

/** Runs that ask, and people who answer whatever is open, in any order and at once. */
export type FanOut = {
  /** Once everything is asked and parked, and everything answered that ever is. */
  done: Promise<readonly ExpectedRun[]>;
  /** Runs that are parked so far. */
  parked: () => number;
};

const ASKING = 32;
const ANSWERING = 64;
const LOOK_AGAIN_MS = 20;

export function startFanOut(options: FanOutOptions): FanOut {
  const open: string[] = [];
  let parked = 0;
  let isAsked = false;

  const ask = async (): Promise<ExpectedRun[]> => {
    const driver = await options.asker.driver({ name: options.driver, checkpointer: { kind: "postgres" } });
    const expected: ExpectedRun[] = [];
    const numbers = Array.from({ length: options.runs }, (_, number) => number).values();
    await lanes(ASKING, async () => {
      for (const number of numbers) {
        expected.push(await insistOnParking(options, driver, `run-${number}`, open));
        parked += 1;
      }
    });
    isAsked = true;
    return expected;
  };
  const answer = () =>
    lanes(ANSWERING, async () => {
      for (;;) {
        const [id] = open.splice(Math.floor(options.random() * open.length), 1);
        if (id !== undefined) await answered(options.answerer, id);
        else if (isAsked) return;
        else await delay(LOOK_AGAIN_MS);
      }
    });
  const both = Promise.all([ask(), answer()]);
  return { done: both.then(([expected]) => expected), parked: () => parked };
}

/** A run whose deadlines passed before it could ask is refused and has withdrawn what it asked: another takes its place. */
async function insistOnParking(
  options: FanOutOptions,
  driver: Driver,
  name: string,
  open: string[],
): Promise<ExpectedRun> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await parkedRun(options, driver, `${name}-${tries}`, open);
    } catch (error) {
      if (!(error instanceof InterludeError) || error.code !== "validation_failed" || tries === 5)
        throw error;
    }
  }
}

/** Asks and parks; what is to be answered is open from then on, or before. */
async function parkedRun(
  { asks, expiring, expiryMs: [least, most], random, nowMs = Date.now }: FanOutOptions,
  driver: Driver,
  runId: string,
  open: string[],
): Promise<ExpectedRun> {
  const plans = Array.from({ length: 1 + Math.floor(random() * asks) }, (_, number) => {
    const isShort = random() < expiring;
    const dueAt = nowMs() + (isShort ? least + random() * (most - least) : HOUR_MS);
    return { key: `q${number}`, isShort, isAnswered: !isShort || random() < 0.5, expiryAt: new Date(dueAt) };
  });
  const ends = new Map<string, readonly (string | typeof EXPIRED)[]>();
  const answerable: string[] = [];
  const parked = await driver.run(runId, async (run) => {
    for (const { key, expiryAt, isShort, isAnswered } of plans) {
      const { interactionId } = await run.askUser({ question: `${key}?`, mode: "async", key, expiryAt });
      const text = answerOf(interactionId);
      ends.set(interactionId, isAnswered ? (isShort ? [text, EXPIRED] : [text]) : [EXPIRED]);
      if (isAnswered) answerable.push(interactionId);
    }
  });
  if (!(parked instanceof SuspendedRun)) throw new Error(`${runId} asked nothing`);
  open.push(...answerable);
  return { runId, ends };
}

function answerOf(id: string): string {
  return `to ${id}`;
}

async function answered(answerer: Client, id: string): Promise<void> {
  try {
    await answerer.answer(id, answerOf(id), { idempotencyKey: id });
  } catch (error) {
    // Its end came first.
    if (!(error instanceof InterludeError) || error.status !== 410) throw error;
  }
}

async function lanes(count: number, lane: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, lane));
}
