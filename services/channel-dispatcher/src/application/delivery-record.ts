import type { Shape } from "@interlude/channel-kit";
import type { DeliveryOutcome } from "@interlude/contract";
import type { KnownInteraction } from "@interlude/domain";

/** How far a question has come on its way to the person, as the log tells it. */
export type DeliveryProgress = Readonly<{
  /** Attempts that were begun. */
  attempts: number;
  /** The last one was begun, and nobody said how it ended. */
  isUnfinished: boolean;
  /** Earlier attempts of which nobody knows whether they arrived. */
  unknown: number;
  /** Nothing more is sent: it has arrived, may have arrived, or will not. */
  isOver: boolean;
  /** Where it will not arrive. */
  failedReason: string | undefined;
  /** When the next attempt is to be made. */
  retryAtMs: number | undefined;
  /** Messages of an attempt that failed, or was cut short, that have arrived all the same. */
  taken: readonly string[];
  receipt: Receipt | undefined;
  /** The person was asked to write first; the question goes out once they have. */
  awaitsPerson: boolean;
}>;

/** What the provider took. */
export type Receipt = Readonly<{
  address: string;
  messageIds: readonly string[];
  shape: Shape;
  numbered?: readonly string[];
  /** The messages that carry controls. */
  controls: readonly string[];
  /** It is not the question, but asks the person to write first. */
  opener?: true;
}>;

/** Where it is, as far as an end has to be shown there. */
export type Progress = Readonly<{ state: KnownInteraction; delivery: DeliveryProgress }>;

/** The delivery of questions in the log. Every function may be repeated. */
export interface DeliveryRecord {
  /** `undefined`: no such question any more. */
  read(id: string): Promise<Progress | undefined>;
  /** `false`: it has ended, or another worker has begun this attempt. Nothing may be sent then. */
  start(id: string, attempt: number): Promise<boolean>;
  /** Between two of its messages: `messageIds` are out. `false`: it has ended, or another worker has it; no more is sent. */
  goOn(id: string, attempt: number, messageIds: readonly string[]): Promise<boolean>;
  delivered(id: string, attempt: number, receipt: Receipt): Promise<void>;
  attemptFailed(id: string, attempt: number, failure: AttemptFailure): Promise<void>;
  /** Ends the question: it cannot be brought to anybody. */
  fail(id: string, reason: string): Promise<void>;
}

export type AttemptFailure = Readonly<{
  outcome: DeliveryOutcome;
  reason: string;
  /** In milliseconds of the log's clock. */
  retryAtMs?: number;
  /** No attempt follows. */
  final: boolean;
  /** Messages of the question that were taken all the same. */
  messageIds: readonly string[];
}>;
