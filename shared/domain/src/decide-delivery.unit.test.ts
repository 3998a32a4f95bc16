import type { InteractionEvent } from "@interlude/contract";
import { describe, expect, it } from "vitest";
import { askedFixture } from "./asked.fixture.ts";
import { decide, type InteractionCommand } from "./decide.ts";
import type { Receipt } from "./decide-delivery.ts";
import { deliveryView } from "./delivery.ts";
import { evolve } from "./evolve.ts";
import { type Interaction, type KnownInteraction, UNASKED } from "./interaction.ts";

const ASK: InteractionCommand = { type: "Ask", asked: askedFixture({ channel: "sms", recipient: "+1" }) };
const GO_ON = {
  ...{ type: "ContinueDelivery", worker: "w-1", attempt: 1, messageIds: ["m-1"], nowMs: 11 },
} as const satisfies InteractionCommand;
const START: InteractionCommand = { type: "StartDelivery", worker: "w-1", nowMs: 10 };
const ANSWER: InteractionCommand = {
  type: "Answer",
  content: { answer: true, answered_by: "bob", via: "channel" },
  nowMs: 20,
};

function receipt(attempt: number, changes: Partial<Receipt> = {}): InteractionCommand {
  const taken = { attempt, address: "+1", messageIds: ["m-1"], controls: ["m-1"], shape: "text" };
  return { type: "RecordDelivered", receipt: { ...taken, ...changes }, nowMs: 30 };
}

function failed(attempt: number, final: boolean, outcome: "rejected" | "unknown" = "rejected") {
  return {
    type: "RecordDeliveryFailed",
    attempt,
    outcome,
    reason: "no such chat",
    final,
    nowMs: 30,
  } as const;
}

function report(status: "sent" | "delivered" | "read" | "failed", messageId = "m-1"): InteractionCommand {
  return {
    type: "ReportDelivery",
    messageId,
    status,
    ...(status === "failed" ? { code: "131" } : {}),
    nowMs: 40,
  };
}

function after(...commands: InteractionCommand[]): KnownInteraction {
  let state: Interaction = UNASKED;
  for (const command of [ASK, ...commands]) {
    const decision = decide(command, state);
    if (!decision.ok) throw new Error(`${command.type}: ${decision.refusal.code}`);
    state = decision.events.reduce(evolve, state);
  }
  if (state.status === "unasked") throw new Error("not asked");
  return state;
}

function events(command: InteractionCommand, state: Interaction): readonly InteractionEvent[] {
  const decision = decide(command, state);
  if (!decision.ok) throw new Error(decision.refusal.code);
  return decision.events;
}

describe("an attempt", () => {
  it("is begun once: the one that was paused finds the other's", () => {
    const first = { ...START, attempt: 1 } as const;
    const state = after(first);
    expect(decide(first, state)).toMatchObject({ ok: false, refusal: { reason: "another_attempt" } });
    expect(events(START, state)).toMatchObject([{ data: { attempt: 2, worker: "w-1", channel: "sms" } }]);
  });

  it("is not begun after the end, by the log or by the clock", () => {
    expect(decide(START, after(ANSWER))).toMatchObject({ refusal: { code: "already_answered" } });
    expect(decide({ ...START, nowMs: 1_000 }, after())).toMatchObject({ refusal: { code: "expired" } });
  });

  it("is not begun once it has arrived or was given up, and not on a question without a channel", () => {
    expect(decide(START, after(START, receipt(1)))).toMatchObject({ refusal: { reason: "delivered" } });
    expect(decide(START, after(START, failed(1, true)))).toMatchObject({ refusal: { reason: "given_up" } });
    const inbox: Interaction = { status: "pending", asked: askedFixture() };
    expect(decide(START, inbox)).toMatchObject({ refusal: { code: "undeliverable", reason: "no_channel" } });
  });

  it("follows the message that asks the person to write first", () => {
    const opened = after(START, receipt(1, { opener: true, messageIds: ["t-1"] }));
    expect(events(START, opened)).toMatchObject([{ data: { attempt: 2 } }]);
  });
});

describe("an attempt in several messages", () => {
  it("goes on as the same attempt, with what is out", () => {
    const under = after(START, GO_ON);
    expect(under.delivery?.started).toMatchObject({ attempt: 1, message_ids: ["m-1"] });
    expect(deliveryView(under.delivery)).toEqual({ state: "sending", attempts: 1 });
  });

  it("is not gone on with by another worker, when it is over, or after the end", () => {
    for (const [state, command] of [
      [after(START), { ...GO_ON, worker: "w-2" }],
      [after(START, failed(1, false)), GO_ON],
      [after(START, failed(1, false), START), GO_ON],
      [after(START, ANSWER), GO_ON],
      [after(), GO_ON],
    ] as const) {
      expect(decide(command, state).ok).toBe(false);
    }
  });
});

describe("a receipt", () => {
  it("is recorded after the answer too, so that the controls can be taken away, and once", () => {
    const answered = after(START, ANSWER, receipt(1));
    expect(answered).toMatchObject({ status: "answered", delivery: { delivered: { controls: ["m-1"] } } });
    expect(events(receipt(1), answered)).toEqual([]);
  });

  it("that comes late is added to that of a later attempt", () => {
    const state = after(START, START, receipt(2, { messageIds: ["m-2"], controls: ["m-2"] }), receipt(1));
    expect(state.delivery?.delivered).toMatchObject({ attempt: 2, message_ids: ["m-2", "m-1"] });
  });
});

describe("how far it has come", () => {
  it.each([
    ["queued", [], 0],
    ["sending", [START], 1],
    ["queued", [START, failed(1, false)], 1],
    ["sending", [START, failed(1, false), START], 2],
    ["failed", [START, failed(1, true)], 1],
    ["unknown", [START, failed(1, true, "unknown")], 1],
    ["sent", [START, failed(1, true, "unknown"), receipt(1)], 1],
    ["sent", [START, receipt(1)], 1],
    ["delivered", [START, receipt(1), report("delivered")], 1],
    ["read", [START, receipt(1), report("read")], 1],
    ["failed", [START, receipt(1), report("failed")], 1],
  ] as const)("is %s", (state, commands, attempts) => {
    expect(deliveryView(after(...commands).delivery)).toMatchObject({ state, attempts });
  });

  it("says the last error until it has arrived", () => {
    const waiting = after(START, failed(1, false));
    expect(deliveryView(waiting.delivery).last_error).toBe("no such chat");
    expect(deliveryView(after(START, failed(1, false), START, receipt(2)).delivery)).toEqual({
      state: "sent",
      attempts: 2,
    });
    expect(deliveryView(after(START, receipt(1), report("failed")).delivery).last_error).toBe("131");
  });
});

describe("a provider's report", () => {
  it("goes up and never down", () => {
    const read = after(START, receipt(1), report("read"));
    expect(events(report("delivered"), read)).toEqual([]);
    expect(events(report("read"), read)).toEqual([]);
    expect(events(report("failed"), read)).toMatchObject([{ type: "delivery_reported" }]);
  });

  it("of a message that nobody has a receipt of has to wait", () => {
    expect(decide(report("read"), after(START))).toMatchObject({ refusal: { reason: "unknown_message" } });
  });
});

describe("a reply that does not fit", () => {
  it("is recorded once, and after the end it is none", () => {
    const mismatch = { type: "RecordMismatch", updateId: "u-1", reason: "no option", nowMs: 15 } as const;
    expect(events(mismatch, after(mismatch))).toEqual([]);
    expect(decide(mismatch, after(ANSWER))).toMatchObject({ refusal: { code: "already_answered" } });
  });
});

describe("a question that could not be brought to anybody", () => {
  it("fails, and says why", () => {
    const fail = { type: "Fail", reason: "no such chat", delivery: true, nowMs: 50 } as const;
    expect(after(START, failed(1, true), fail)).toMatchObject({
      status: "failed",
      failed: { reason: "no such chat", delivery: true },
    });
  });
});
