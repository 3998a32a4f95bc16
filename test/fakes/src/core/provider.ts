import type { Answer, Received } from "./exchange.ts";
import type { Fault } from "./faults.ts";
import type { Fields } from "./json.ts";
import type { PersonSide } from "./person.ts";
import type { Exceeded } from "./rates.ts";

export type NamedRequest = Readonly<{
  /** The provider's own name of the operation. */
  operation: string;
  /** What was asked, read from the body or the query. */
  fields: Fields;
  /** Set when it sends a message there: what rates count. */
  conversation?: string;
  /** Carries it out, or refuses it. */
  answer: () => Answer | Promise<Answer>;
}>;

/** What makes a fake this provider and no other. */
export interface Provider {
  readonly name: string;
  /** Judges what came in; nothing has happened until `answer` is called. */
  receive(received: Received): NamedRequest;
  failure(fault: Extract<Fault, { kind: "fail" }>): Answer;
  tooMany(exceeded: Exceeded): Answer;
  readonly person: PersonSide;
}
