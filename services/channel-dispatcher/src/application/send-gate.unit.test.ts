import type { SendOutcome } from "@interlude/channel-kit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSendGate, type SendGate } from "./send-gate.ts";

const never = new AbortController().signal;
const sent: SendOutcome = { kind: "sent", messageId: "1" };
const limited = (scope: "conversation" | "channel"): SendOutcome => ({
  kind: "rate_limited",
  retryAfterMs: 5_000,
  scope,
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const gateOf = (bound: number): SendGate => createSendGate({ bound, nowMs: () => Date.now() });

async function entered(gate: SendGate, conversation: string, signal = never): Promise<{ isIn: boolean }> {
  const state = { isIn: false };
  void gate.enter(conversation, signal).then((leave) => {
    state.isIn = leave !== undefined;
  });
  await vi.advanceTimersByTimeAsync(0);
  return state;
}

describe("the gate of a channel", () => {
  it("lets so many in and no more", async () => {
    const gate = gateOf(2);
    const leave = await gate.enter("a", never);
    await gate.enter("b", never);
    const third = await entered(gate, "c");
    expect(third.isIn).toBe(false);
    leave?.(sent);
    await vi.advanceTimersByTimeAsync(0);
    expect(third.isIn).toBe(true);
  });

  it("keeps one conversation out for as long as the provider said, and no other", async () => {
    const gate = gateOf(4);
    const leave = await gate.enter("a", never);
    leave?.(limited("conversation"));
    const same = await entered(gate, "a");
    const other = await entered(gate, "b");
    expect([same.isIn, other.isIn]).toEqual([false, true]);
    await vi.advanceTimersByTimeAsync(5_010);
    expect(same.isIn).toBe(true);
  });

  it("keeps all out where the limit is the channel's, and then lets one try", async () => {
    const gate = gateOf(4);
    const leave = await gate.enter("a", never);
    leave?.(limited("channel"));
    const states = [await entered(gate, "a"), await entered(gate, "b"), await entered(gate, "c")];
    expect(states.map((state) => state.isIn)).toEqual([false, false, false]);
    await vi.advanceTimersByTimeAsync(5_010);
    expect(states.map((state) => state.isIn)).toEqual([true, false, false]);
  });

  it("opens again as sends arrive", async () => {
    const gate = gateOf(4);
    (await gate.enter("a", never))?.(limited("channel"));
    const first = gate.enter("a", never);
    const states = [await entered(gate, "b"), await entered(gate, "c"), await entered(gate, "d")];
    await vi.advanceTimersByTimeAsync(5_010);
    (await first)?.(sent);
    await vi.advanceTimersByTimeAsync(0);
    expect(states.map((state) => state.isIn)).toEqual([true, true, false]);
  });

  it("lets nobody in who has gone away", async () => {
    const gate = gateOf(1);
    const leave = await gate.enter("a", never);
    const gone = new AbortController();
    const waiting = gate.enter("b", gone.signal);
    gone.abort();
    await expect(waiting).resolves.toBeUndefined();
    leave?.(sent);
    expect(gate.waiting).toBe(0);
    await expect(gate.enter("c", gone.signal)).resolves.toBeUndefined();
  });
});
