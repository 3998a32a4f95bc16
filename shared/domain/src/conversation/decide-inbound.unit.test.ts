import { describe, expect, it } from "vitest";
import {
  decideInbound,
  type FromPerson,
  type InboundDecision,
  type InboundFacts,
  type QuestionFacts,
  type ReplyFit,
} from "./decide-inbound.ts";

const question = (id: string, rest: Partial<QuestionFacts> = {}): QuestionFacts => ({
  ...{ id, isOpen: true, onMismatch: "retry", messageIds: [`m-${id}`], address: "chat", isSending: false },
  ...rest,
});
const sending = (id: string) => question(id, { messageIds: [], isSending: true });
const says = (rest: Partial<Extract<FromPerson, { kind: "message" }>> = {}): FromPerson => ({
  ...{ kind: "message", updateId: "u", address: "chat", from: "ada", messageId: "9", isDirect: true },
  ...rest,
});
const taps = (address = "chat"): FromPerson => ({
  ...{ kind: "tap", updateId: "u", address, from: "ada", messageId: "m-a", reference: "a", choice: "yes" },
});
const FITS: ReplyFit = { kind: "answer", answer: true };
const MISFIT: ReplyFit = { kind: "mismatch", reason: "no" };

function decided(said: FromPerson, facts: Partial<InboundFacts>, fit = FITS): InboundDecision {
  return decideInbound(said, {
    ...{ replyContext: true, questions: [], isRouted: false, canWait: true, fit: () => fit },
    ...facts,
  });
}

const answers = (id: string): InboundDecision => ({ kind: "answer", answer: true, id });
const WAIT: InboundDecision = { kind: "wait" };
const TURN: InboundDecision = { kind: "turn" };
const DROP: InboundDecision = { kind: "drop", reason: "no_route" };
const [A, B] = [question("a"), question("b")];

describe("a message", () => {
  it.each<[string, FromPerson, QuestionFacts[], InboundDecision, Partial<InboundFacts>?]>([
    ["in reply answers what it is in reply to", says({ replyTo: "m-b" }), [A, B], answers("b")],
    ["in a group answers in reply", says({ replyTo: "m-a", isDirect: false }), [A], answers("a")],
    ["in a group answers nothing without", says({ isDirect: false }), [A], DROP],
    ["in a group goes on where a route is", says({ isDirect: false }), [A], TURN, { isRouted: true }],
    ["that quotes another answers nothing", says({ replyTo: "x" }), [A], DROP],
    ["to nobody in particular answers the only one", says(), [A], answers("a")],
    ["to nobody in particular answers none of several", says(), [A, B], { kind: "ambiguous" }],
    ["does not count one that nobody has seen", says(), [A, sending("b")], answers("a")],
    ["waits for the receipt that it outran", says({ replyTo: "x" }), [sending("a")], WAIT],
    ["alone waits for the only one's receipt", says(), [sending("a")], WAIT],
    ["waits no longer than it may", says(), [sending("a")], DROP, { canWait: false }],
    ["passes over what is closed", says(), [question("a", { isOpen: false }), B], answers("b")],
    ["with nothing asked is conversation", says(), [], TURN, { isRouted: true }],
    ["with nothing asked and no route is dropped", says(), [], DROP],
    ["without context is to the one in front", says(), [A, B], answers("a"), { replyContext: false }],
    [
      "without context waits for the front's receipt",
      says(),
      [sending("a"), B],
      WAIT,
      { replyContext: false },
    ],
  ])("%s", (_, said, questions, expected, facts = {}) => {
    expect(decided(said, { questions, ...facts })).toEqual(expected);
  });

  it("that does not fit is told what is expected, or goes on as conversation, as was asked", () => {
    const bridged = [question("a", { onMismatch: "bridge" })];
    expect(decided(says(), { questions: [A] }, MISFIT)).toEqual({ ...MISFIT, id: "a" });
    expect(decided(says(), { questions: bridged, isRouted: true }, MISFIT)).toEqual(TURN);
    expect(decided(says(), { questions: bridged }, MISFIT)).toEqual(DROP);
  });
});

describe("a tap", () => {
  it.each<[string, FromPerson, Partial<InboundFacts>, InboundDecision]>([
    ["answers its question, however many there are", taps(), { tapped: A, questions: [B, A] }, answers("a")],
    ["needs no receipt", taps(), { tapped: sending("a") }, answers("a")],
    [
      "that is late is told so",
      taps(),
      { tapped: question("a", { isOpen: false }) },
      { kind: "over", id: "a" },
    ],
    ["on nothing of ours is dropped", taps(), {}, { kind: "drop", reason: "unknown_question" }],
    ["elsewhere is dropped", taps("other"), { tapped: A }, { kind: "drop", reason: "another_conversation" }],
    ["elsewhere waits for a receipt", taps("other"), { tapped: sending("a") }, WAIT],
  ])("%s", (_, said, facts, expected) => {
    expect(decided(said, facts)).toEqual(expected);
  });

  it("on a form's button opens the form", () => {
    expect(decided(taps(), { tapped: A }, { kind: "opens" })).toEqual({ kind: "open", id: "a" });
  });
});
