import { type EndType, formatInstant, type InteractionEvent, type RunEvent } from "@interlude/contract";
import type { ParkAddress, RunModelEntry } from "../src/index.ts";

export const NOW_MS = Date.parse("2031-03-01T12:00:00.000Z");

export type EventOfPark = { address: ParkAddress; entry: RunEvent };

export function asked(id: string, more: { driver?: string; deadlineMs?: number } = {}): InteractionEvent {
  return {
    type: "asked",
    data: {
      interaction_id: id,
      asker: "flow",
      group_id: `group-of-${id}`,
      question: `Question ${id}?`,
      answer_format: "text",
      format_payload: {},
      mode: "async",
      created_at: formatInstant(NOW_MS - 1_000),
      timeout_at: formatInstant(more.deadlineMs ?? NOW_MS + 3_600_000),
      run: { driver: more.driver ?? "bot", run_id: "run" },
      sensitive: false,
      fingerprint: "f",
    },
  };
}

export function ended(
  id: string,
  type: EndType = "answered",
  mode: "sync" | "async" = "async",
): InteractionEvent {
  const belonging = {
    interaction_id: id,
    group_id: `group-of-${id}`,
    asker: "flow",
    mode,
    at: formatInstant(NOW_MS),
  };
  switch (type) {
    case "answered":
      return { type, data: { ...belonging, answer: "yes", answered_by: "ann", via: "door" } };
    case "expired":
      return { type, data: belonging };
    case "cancelled":
      return { type, data: { ...belonging, cancelled_by: "flow" } };
    case "failed":
      return { type, data: { ...belonging, reason: "no such number" } };
  }
}

const TURN = { channel: "telegram", partition: 1, thread: "th", route: "r", sealed: "s" };

export type ParkOptions = { driver?: string; run?: string; owner?: string };

/** The events of one park, each at a second of its own after `NOW_MS`. */
export function parkEvents(park: string, { driver = "bot", run = "run", owner = "flow" }: ParkOptions = {}) {
  const address = { driver, runToken: run, parkToken: `t_${park}` };
  const base = (second: number) => ({
    driver,
    run_id: run,
    park_id: park,
    owner,
    at: formatInstant(NOW_MS + second * 1_000),
  });
  const event = (entry: RunEvent): EventOfPark => ({ address, entry });
  const until = (second: number) => formatInstant(NOW_MS + second * 1_000);
  return {
    parked: (ids: readonly string[]) =>
      event({ type: "parked", data: { ...base(0), interaction_ids: [...ids] } }),
    /** What was said to a driver that nobody had registered. */
    said: (second = 0) => event({ type: "turn_received", data: { ...base(second), owner: "", turn: TURN } }),
    requested: (second = 1) => event({ type: "resume_requested", data: base(second) }),
    claimed: (claim: string, attempt: number, leaseUntil: number) =>
      event({
        type: "claimed",
        data: { ...base(2), claim_id: claim, attempt, lease_until: until(leaseUntil) },
      }),
    renewed: (claim: string, fencing: number, leaseUntil: number) =>
      event({
        type: "renewed",
        data: { ...base(3), claim_id: claim, fencing, lease_until: until(leaseUntil) },
      }),
    attemptFailed: (claim: string, fencing: number, attempt: number, retryAt: number) =>
      event({
        type: "attempt_failed",
        data: { ...base(4), claim_id: claim, fencing, attempt, reason: "it broke", retry_at: until(retryAt) },
      }),
    resumed: (claim: string, fencing: number) =>
      event({ type: "resumed", data: { ...base(5), claim_id: claim, fencing, result: "done" } }),
    failed: (attempt: number) => event({ type: "failed", data: { ...base(6), reason: "used up", attempt } }),
    replayed: () => event({ type: "replayed", data: { ...base(7), by: "root" } }),
  };
}

/** Events of INTERACTIONS with the sequences that follow `after`. */
export function interactionEntries(events: readonly InteractionEvent[], after = 0): RunModelEntry[] {
  return events.map((entry, index) => ({ stream: "interactions", sequence: after + index + 1, entry }));
}

/** Events of RUNS with the sequences that follow `after`. */
export function runEntries(events: readonly EventOfPark[], after = 0): RunModelEntry[] {
  return events.map((event, index) => ({ stream: "runs", sequence: after + index + 1, ...event }));
}
