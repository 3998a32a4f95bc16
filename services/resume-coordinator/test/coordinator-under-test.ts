import { randomUUID } from "node:crypto";
import { type AskedData, formatInstant, type InteractionEvent } from "@interlude/contract";
import {
  addressOfAsked,
  createInteractionStore,
  createRunStore,
  handleRunCommand,
  type Log,
  logBounds,
  openBucket,
  openLog,
  parkAddress,
  readRunsForward,
  type RunForwardEntry,
  STREAMS,
} from "@interlude/event-log";
import type { Database } from "@interlude/postgres";
import { generateKeyring, parseKeyring } from "@interlude/secrets";
import {
  createAnswerKeys,
  createMetrics,
  createWaitSlots,
  readSettings,
  recordingLogger,
  type Service,
} from "@interlude/service-kit";
import { createResumeCoordinator } from "../src/index.ts";

const keyring = parseKeyring(generateKeyring(), "KEYS");
const HOUR_MS = 3_600_000;

/** One process's coordinator, on a connection of its own to the servers of the test. */
export async function startCoordinator(natsUrl: string, database: Database): Promise<Service> {
  const log = await openLog({ url: natsUrl, service: "resume-coordinator" });
  const coordinator = createResumeCoordinator({
    ...{
      log,
      database,
      claimKeys: keyring,
      turnKeys: () => Promise.resolve(keyring),
      metrics: createMetrics(),
      logger: recordingLogger(),
    },
    answerKeys: createAnswerKeys(await openBucket(log, "answerKeys"), keyring),
    claimsByKey: await openBucket(log, "claimKeys"),
    waitSlots: createWaitSlots(0, () => undefined),
    settings: readSettings({}, {}),
    ...{ secret: () => undefined, hasSecret: () => false, denied: () => new Set(), continuationUrls: [] },
  });
  await coordinator.start();
  return {
    ...coordinator,
    async stop() {
      await coordinator.stop();
      await log.close();
    },
  };
}

/** What askers and answerers store, without their doors. */
export function createStorer(log: Log) {
  const interactions = createInteractionStore(log);
  const runs = createRunStore(log);
  const positions = new Map<string, number>();

  async function append(event: InteractionEvent): Promise<void> {
    const id = event.data.interaction_id;
    const write = { eventId: randomUUID(), nowMs: log.clock.nowMs() };
    const address = addressOfAsked({ interaction_id: id });
    const outcome = await interactions.append(event, address, positions.get(id) ?? 0, write);
    if (outcome.status !== "appended") throw new Error(outcome.status);
    positions.set(id, outcome.sequence);
  }

  return {
    async ask(runId: string): Promise<string> {
      const id = randomUUID();
      const nowMs = log.clock.nowMs();
      const data: AskedData = {
        ...{ interaction_id: id, asker: "ann", group_id: id, question: "?", answer_format: "text" },
        ...{ format_payload: {}, mode: "async", run: { driver: "bot", run_id: runId }, sensitive: false },
        ...{ created_at: formatInstant(nowMs), timeout_at: formatInstant(nowMs + HOUR_MS), fingerprint: id },
      };
      await append({ type: "asked", data });
      return id;
    },
    async end(id: string): Promise<void> {
      const belonging = { interaction_id: id, group_id: id, asker: "ann", mode: "async" } as const;
      const at = formatInstant(log.clock.nowMs());
      await append({ type: "cancelled", data: { ...belonging, at, cancelled_by: "ann" } });
    },
    async park(runId: string, ids: readonly string[]): Promise<void> {
      const address = parkAddress("bot", runId, ids);
      const parkId = address.parkToken;
      const handled = await handleRunCommand(
        runs,
        address,
        (nowMs) => ({
          ...{ type: "Park", driver: "bot", owner: "ann", runId, parkId, nowMs },
          interactionIds: ids,
        }),
        () => log.clock.nowMs(),
      );
      if (!handled.ok) throw new Error("not parked");
    },
  };
}

/** Everything that RUNS holds now. */
export async function storedRuns(log: Log): Promise<RunForwardEntry[]> {
  const { lastSequence } = await logBounds(log, STREAMS.runs);
  const entries: RunForwardEntry[] = [];
  if (lastSequence === 0) return entries;
  const { signal } = new AbortController();
  for await (const each of readRunsForward(log, { fromSequence: 1, signal, onUnreadable: () => undefined })) {
    entries.push(each);
    if (each.sequence >= lastSequence) break;
  }
  return entries;
}

/** The runs whose resume was requested, as often as it is stored. */
export async function requestedRuns(log: Log): Promise<string[]> {
  return (await storedRuns(log)).flatMap((each) =>
    each.address !== undefined && each.entry.type === "resume_requested" ? [each.entry.data.run_id] : [],
  );
}
