import type { ChatLink } from "./chat-page.ts";
import type { Fault } from "./faults.ts";
import type { RecordedRequest } from "./gate.ts";
import type { Outbox } from "./outbox.ts";
import type { PersonSide } from "./person.ts";
import type { RateLimits } from "./rates.ts";

/** What every fake can be told. */
export interface FakeControl {
  readonly name: string;
  /** Where it listens; the chat page is at `/`. */
  readonly url: string;
  /** Every request of the provider's API, in order. */
  readonly requests: readonly RecordedRequest[];
  forgetRequests(): void;
  /** Faults are used up in the order they were added. */
  fault(fault: Fault): void;
  clearFaults(): void;
  /** Refuses messages that come faster; without limits there are none. */
  limitRates(limits: RateLimits): void;
  /** Lets the fake's time pass at once. */
  advanceClock(ms: number): void;
  readonly webhooks: Outbox;
  /** The people in the chats. */
  readonly person: PersonSide;
  /** What the chat page links to: all the fakes that belong together. */
  showBeside(links: readonly ChatLink[]): void;
  stop(): Promise<void>;
}
