import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Conversation,
  decideConversation,
  foldConversation,
  frontOf,
  NO_CONVERSATION,
} from "./conversation.ts";
import { decideInbound, type FromPerson, type QuestionFacts } from "./decide-inbound.ts";

const NAME = { channel: "sms", thread: "t" };
const steps = fc.array(fc.record({ isEnter: fc.boolean(), id: fc.constantFrom("a", "b", "c", "d") }));

function step(state: Conversation, { isEnter, id }: { isEnter: boolean; id: string }): Conversation {
  const at = { ...NAME, interactionId: id, nowMs: 0 };
  const decision = decideConversation(
    isEnter ? { ...at, type: "Enter", deadlineMs: 1 } : { ...at, type: "Leave" },
    state,
  );
  return decision.ok ? foldConversation(decision.events, state) : state;
}

describe("a conversation", () => {
  it("has each question once, in the order they came, and none that has gone", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const gone = new Set<string>();
        const waiting: string[] = [];
        let state = NO_CONVERSATION;
        for (const each of all) {
          state = step(state, each);
          if (!each.isEnter) {
            gone.add(each.id);
            if (waiting.includes(each.id)) waiting.splice(waiting.indexOf(each.id), 1);
          } else if (!gone.has(each.id) && !waiting.includes(each.id)) waiting.push(each.id);
          expect(state.open).toEqual(waiting);
          expect(frontOf(state)).toBe(waiting[0]);
          expect(step(state, each)).toEqual(state);
        }
      }),
    );
  });

  it("keeps who is in front until it leaves, whoever else comes", () => {
    fc.assert(
      fc.property(steps, (all) => {
        let state = NO_CONVERSATION;
        for (const each of all) {
          const front = frontOf(state);
          state = step(state, each);
          const isItsLeave = !each.isEnter && each.id === front;
          if (front !== undefined && !isItsLeave) expect(frontOf(state)).toBe(front);
        }
      }),
    );
  });

  it("that has gone on for years is read in the time of its events", () => {
    const at = { ...NAME, at: "2030-01-01T00:00:00.000Z" };
    const events = Array.from({ length: 50_000 }, (_, nth) => ({
      ...at,
      interaction_id: `q-${nth}`,
    })).flatMap((data) => [
      { type: "queued" as const, data: { ...data, deadline_at: at.at } },
      { type: "closed" as const, data },
    ]);
    const beganMs = performance.now();
    const { open, closed } = foldConversation(events);
    expect([open.length, closed.size]).toEqual([0, 50_000]);
    // In the square of them it is a minute.
    expect(performance.now() - beganMs).toBeLessThan(5_000);
  });
});

describe("the decision on what came in", () => {
  const facts = fc.record({
    id: fc.constantFrom("a", "b", "c"),
    isOpen: fc.boolean(),
    onMismatch: fc.constantFrom("retry", "bridge"),
    messageIds: fc.uniqueArray(fc.constantFrom("1", "2", "3")),
    address: fc.constantFrom("chat", "other"),
    isSending: fc.boolean(),
  }) satisfies fc.Arbitrary<QuestionFacts>;
  const base = { updateId: "u", address: "chat", from: "ada", messageId: "9" } as const;
  const said: fc.Arbitrary<FromPerson> = fc.oneof(
    fc
      .record({
        isDirect: fc.boolean(),
        replyTo: fc.option(fc.constantFrom("1", "2", "3", "4"), { nil: undefined }),
      })
      .map(({ isDirect, replyTo }): FromPerson => ({
        ...{ ...base, kind: "message", isDirect },
        ...(replyTo === undefined ? {} : { replyTo }),
      })),
    fc.constant<FromPerson>({ ...base, kind: "tap", reference: "a", choice: "yes" }),
  );
  const world = fc.record({
    replyContext: fc.boolean(),
    questions: fc.uniqueArray(facts, { selector: ({ id }) => id }),
    tapped: fc.option(facts, { nil: undefined }),
    isRouted: fc.boolean(),
    canWait: fc.boolean(),
    fits: fc.boolean(),
  });

  it("answers open questions only, of this conversation only, and waits only where it may", () => {
    fc.assert(
      fc.property(said, world, (what, { tapped, fits, ...rest }) => {
        const decision = decideInbound(what, {
          ...rest,
          ...(tapped === undefined ? {} : { tapped }),
          fit: () => (fits ? { kind: "answer", answer: true } : { kind: "mismatch", reason: "no" }),
        });
        if (decision.kind === "answer" || decision.kind === "mismatch") {
          const all = what.kind === "tap" ? [tapped] : rest.questions;
          expect(all.some((each) => each?.id === decision.id && each.isOpen)).toBe(true);
        }
        if (what.kind === "tap" && decision.kind === "answer") expect(tapped?.address).toBe(what.address);
        if (decision.kind === "wait") expect(rest.canWait).toBe(true);
        if (decision.kind === "turn") expect(rest.isRouted).toBe(true);
      }),
    );
  });
});
