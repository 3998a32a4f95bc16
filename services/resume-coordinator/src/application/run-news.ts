import { setTimeout as delay } from "node:timers/promises";
import type { DriverRegisteredData } from "@interlude/contract";
import { isConversationRun, type RunForwardEntry } from "@interlude/event-log";
import type { Claimable } from "./claim-desk.ts";

/** Whose runs something has happened to. */
export type RunNews = Readonly<{
  drivers: ReadonlySet<string>;
  owners: ReadonlySet<string>;
  /** The tokens of runs of conversations, each of which may have been waited for by other drivers. */
  conversations: ReadonlySet<string>;
}>;

export type NewsDeps = {
  /** What is stored of RUNS from there on; ends when aborted or the connection was lost. */
  read: (fromSequence: number, signal: AbortSignal) => AsyncIterable<RunForwardEntry>;
  /** Until the read model includes this much of RUNS; `false`: not within the time. @throws ServiceFailure */
  waitForModel: (sequence: number, withinMs: number) => Promise<boolean>;
  /** This one is to go on, and the read model may not have it yet. */
  onRequested: (park: Claimable) => void;
  /** These had events, all of which the model includes. */
  onProjected: (news: RunNews, sequence: number) => void;
  onRegistered: (registered: DriverRegisteredData) => void;
};

const AGAIN_AFTER_MS = 500;
const MODEL_WITHIN_MS = 10_000;

/**
 * Tells of what happens to runs once the read model has it, because claims are picked there: by message, so that
 * nobody who waits asks again and again.
 */
export async function followNews(deps: NewsDeps, after: number, signal: AbortSignal): Promise<void> {
  let drivers = new Set<string>();
  let owners = new Set<string>();
  let conversations = new Set<string>();
  let sequence = after;
  let wake: () => void = () => undefined;

  function note(entry: RunForwardEntry): void {
    sequence = entry.sequence;
    if (entry.address !== undefined) {
      // A lease that is renewed makes nothing claimable; its end has a timer.
      if (entry.entry.type === "renewed") return;
      const { owner } = entry.entry.data;
      if (entry.entry.type === "resume_requested") deps.onRequested({ ...entry.address, owner });
      drivers.add(entry.address.driver);
      owners.add(owner);
      if (isConversationRun(entry.address)) conversations.add(entry.address.runToken);
    } else if ("type" in entry.entry) deps.onRegistered(entry.entry.data);
    wake();
  }

  async function tell(): Promise<void> {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (drivers.size === 0) await woken;
      else await tellProjected();
    }
  }

  async function tellProjected(): Promise<void> {
    const told = { drivers, owners, conversations };
    const upTo = sequence;
    drivers = new Set();
    owners = new Set();
    conversations = new Set();
    const isThere = await deps.waitForModel(upTo, MODEL_WITHIN_MS).catch(() => undefined);
    if (isThere === true) {
      deps.onProjected(told, upTo);
      return;
    }
    drivers = new Set([...told.drivers, ...drivers]);
    owners = new Set([...told.owners, ...owners]);
    conversations = new Set([...told.conversations, ...conversations]);
    // Postgres is away: asked again at a pace that it can be started under.
    if (isThere === undefined) await paused(AGAIN_AFTER_MS, signal);
  }

  async function listen(): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const entry of deps.read(sequence + 1, signal)) note(entry);
      } catch {
        // The log is away; the next round begins after the last entry.
      }
      await paused(AGAIN_AFTER_MS, signal);
    }
  }

  signal.addEventListener("abort", () => {
    wake();
  });
  await Promise.all([listen(), tell()]);
}

async function paused(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
