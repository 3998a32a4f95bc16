import type { Json } from "@interlude/kernel";
import type { AskedData, EndType } from "./events.ts";
import type { DriverRegisteredData } from "./run-events.ts";

export const RUN_STATES = ["parked", "resuming", "resumed", "failed"] as const;
export type RunState = (typeof RUN_STATES)[number];

/** A driver as its owner sees it. */
export type DriverView = { name: string } & Pick<DriverRegisteredData, "checkpointer" | "deliver">;

/** What a park is answered with. */
export type ParkView = { park_id: string; remaining: number };

/** A run by its newest park. */
export type RunView = {
  driver: string;
  run_id: string;
  park_id: string;
  state: RunState;
  /** Questions that have not ended. */
  remaining: number;
  attempts: number;
  /** Why the last attempt gave up. */
  reason?: string;
};

export type RunPage = { items: RunView[]; next_cursor: string | null };

/** How one question of a park ended; of an expired one the answer is the marker. */
export type Resolution = {
  interaction_id: string;
  status: EndType;
  answer?: Json;
  params?: Record<string, string>;
  reason?: string;
  answered_by?: string;
  at: string;
};

export type ResolutionPage = { items: Resolution[]; next_cursor: string | null };

/** What a worker goes on with: exactly one of `resolutions` and `resolutions_url`. */
export type Continuation = {
  run_id: string;
  park_id: string;
  identity: { subject: string; groups: string[] };
  resolutions?: Resolution[];
  resolutions_url?: string;
};

/** A message from a conversation that starts a run. */
export type Turn = {
  turn_id: string;
  run_id: string;
  channel: string;
  thread: string;
  from: string;
  text: string;
  params?: Record<string, string>;
  media?: NonNullable<AskedData["media"]>;
  at: string;
};

type AnyClaim = {
  claim_id: string;
  /** Rises with every claim of a run: effects that must not repeat carry it. */
  fencing: number;
  lease_seconds: number;
  token: string;
};

export type ClaimView =
  (AnyClaim & { kind: "resume"; continuation: Continuation }) | (AnyClaim & { kind: "turn"; turn: Turn });

/** Renders a driver from its last registration. */
export function driverView(registered: DriverRegisteredData): DriverView {
  const { driver: name, checkpointer, deliver } = registered;
  return { name, checkpointer, ...(deliver === undefined ? {} : { deliver }) };
}
