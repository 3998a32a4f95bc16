import type { Json } from "@interlude/kernel";
import type { AskedData, EndType } from "./events.ts";
import type { DriverRegisteredData, RunEventType } from "./run-events.ts";
import type { TurnContent } from "./turn-content.ts";

export const RUN_STATES = ["parked", "resuming", "resumed", "failed"] as const;
export type RunState = (typeof RUN_STATES)[number];

/** A driver as its owner sees it. */
export type DriverView = { name: string } & Pick<DriverRegisteredData, "checkpointer" | "deliver">;

/** What a park is answered with. */
export type ParkView = { park_id: string; remaining: number };

/** A run by its newest park or turn. */
export type RunView = {
  driver: string;
  run_id: string;
  park_id: string;
  state: RunState;
  /** Questions that have not ended. */
  remaining: number;
  attempts: number;
  /** What it is to go on with is what a person said, and not the end of a park; `park_id` is the turn's then. */
  kind?: "turn";
  /** Why the last attempt gave up. */
  reason?: string;
  /** Who asked, and under whose identity it goes on. */
  owner: string;
  /** Questions of the park, ended or not. */
  total: number;
  parked_at: string;
  /** When anything last happened to it; absent in the reply to a replay. */
  updated_at?: string;
};

/** A question of a park, for who may see the run. `purged`: it is not in the log any more. */
export type RunQuestion = {
  interaction_id: string;
  status: EndType | "pending" | "purged";
  question?: string;
  answer_format?: AskedData["answer_format"];
  timeout_at?: string;
  answered_by?: string;
  reason?: string;
  /** When it ended. */
  at?: string;
};

export type RunQuestionPage = { items: RunQuestion[]; next_cursor: string | null };

/** One thing that happened to a run, of whichever of its parks; never what was answered or came of it. */
export type RunHistoryEntry = {
  sequence: number;
  type: Exclude<RunEventType, "renewed">;
  at: string;
  park_id: string;
  /** Of `turn_received`: over which channel. */
  channel?: string;
  /** Of `parked`: how many it waits for. */
  questions?: number;
  attempt?: number;
  reason?: string;
  /** When the next attempt may begin. */
  retry_at?: string;
  /** Of `replayed`: who put it back. */
  by?: string;
  /** Of `resumed`: it waits again, by a park that follows. */
  parked?: boolean;
};

/** Oldest first. `truncated`: there is more before the first. */
export type RunHistoryPage = { items: RunHistoryEntry[]; truncated: boolean };

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

/** A message from a conversation, which starts a run or continues it. */
export type Turn = {
  turn_id: string;
  run_id: string;
  channel: string;
  /** The conversation, as its channel writes it: good as the `recipient` of what is asked there. */
  thread: string;
  /** The provider's id of the person. */
  from: string;
  text: string;
  params?: Record<string, string>;
  media?: NonNullable<TurnContent["media"]>;
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
