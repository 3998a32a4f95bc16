import type { SendOutcome } from "@interlude/channel-kit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { deliverQuestion, type Delivered } from "./deliver-question.ts";
import { askedOn, memoryRecord, scriptedChannel, type ScriptedChannel } from "./delivery.fixture.ts";
import { createSendGate } from "./send-gate.ts";

const ID = "question-1";
const limited = (retryAfterMs: number): SendOutcome => ({
  kind: "rate_limited",
  retryAfterMs,
  scope: "conversation",
});
const unknown: SendOutcome = { kind: "unknown", reason: "timeout" };
const notSent: SendOutcome = { kind: "not_sent", reason: "not reached" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function asked(channel: ScriptedChannel, seconds = 3_600) {
  const log = memoryRecord(() => Date.now());
  log.decided(ID, { type: "Ask", asked: askedOn(channel.name, ID, { seconds }) });
  return log;
}

type Signals = { stopping?: AbortSignal; ended?: AbortSignal };

function deliver(
  channel: ScriptedChannel,
  log: ReturnType<typeof asked>,
  signals: Signals = {},
  hasWritten = false,
): Promise<Delivered> {
  const never = new AbortController().signal;
  return deliverQuestion(
    {
      channel,
      record: log.record,
      gate: createSendGate({ bound: 4, nowMs: () => Date.now() }),
      rules: { attempts: 3, backoffMs: 1_000 },
      clock: { nowMs: () => Date.now() },
      outgoing: ({ question }) => ({
        format: "confirm",
        reference: ID,
        recipient: "Someone",
        question,
        pageUrl: "",
        deadlineMs: 0,
      }),
      onSend: () => undefined,
      onFailure: () => undefined,
      onAlias: () => Promise.resolve(),
      onReceipt: () => Promise.resolve(),
    },
    ID,
    { stopping: never, ended: never, cut: never, ...signals },
    { hasWritten },
  );
}

describe("delivering a question", () => {
  it("records that it begins, sends, and records what was taken", async () => {
    const channel = scriptedChannel("script", 2);
    const log = asked(channel);
    await expect(deliver(channel, log)).resolves.toBe("over");
    // Once before each message.
    expect(log.events).toEqual(["asked", "delivery_started", "delivery_started", "delivered"]);
    expect(log.stateOf(ID)).toMatchObject({
      delivery: { delivered: { address: "someone", message_ids: ["m1", "m2"], controls: ["m2"] } },
    });
  });

  it("tries again after the backoff, and not before", async () => {
    const channel = scriptedChannel();
    channel.answers.push(notSent);
    const done = deliver(channel, asked(channel));
    await vi.advanceTimersByTimeAsync(990);
    expect(channel.sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(20);
    await done;
    expect(channel.sent).toHaveLength(2);
  });

  it("waits as long as the provider says (case 8)", async () => {
    const channel = scriptedChannel();
    channel.answers.push(limited(3_000));
    const done = deliver(channel, asked(channel));
    await vi.advanceTimersByTimeAsync(2_990);
    expect(channel.sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(50);
    await done;
    expect(channel.sent).toHaveLength(2);
  });

  it("ends the question as failed with the reason once no attempt is left (case 9)", async () => {
    const channel = scriptedChannel();
    channel.answers.push(notSent, notSent, notSent);
    const log = asked(channel);
    const done = deliver(channel, log);
    await vi.advanceTimersByTimeAsync(5_000);
    await done;
    expect(channel.sent).toHaveLength(3);
    expect(log.stateOf(ID)).toMatchObject({
      status: "failed",
      failed: { delivery: true, reason: "not reached (attempt 3 of 3)" },
    });
  });

  it("ends it at once when the provider refuses (case 10)", async () => {
    const channel = scriptedChannel();
    channel.answers.push({ kind: "rejected", reason: "chat not found" });
    const log = asked(channel);
    await deliver(channel, log);
    expect(channel.sent).toHaveLength(1);
    expect(log.stateOf(ID)).toMatchObject({ status: "failed", failed: { reason: "chat not found" } });
  });

  it("sends what may have arrived once more, and then leaves it pending", async () => {
    const channel = scriptedChannel();
    channel.answers.push(unknown, unknown);
    const log = asked(channel);
    const done = deliver(channel, log);
    await vi.advanceTimersByTimeAsync(10_000);
    await done;
    expect(channel.sent).toHaveLength(2);
    expect(log.stateOf(ID)).toMatchObject({
      status: "pending",
      delivery: { failed: { outcome: "unknown", final: true } },
    });
  });

  it("counts what a lost worker had begun as sent, maybe", async () => {
    const channel = scriptedChannel();
    channel.answers.push(unknown);
    const log = asked(channel);
    await log.record.start(ID, 1);
    const done = deliver(channel, log);
    await vi.advanceTimersByTimeAsync(10_000);
    await done;
    expect(channel.sent).toHaveLength(1);
    expect(log.stateOf(ID)).toMatchObject({ status: "pending", delivery: { failed: { final: true } } });
  });

  it("goes on behind the messages that are out where its worker was killed between two", async () => {
    const channel = scriptedChannel("script", 3);
    const log = asked(channel);
    const send = channel.send.bind(channel);
    channel.send = async (request, signal) => {
      const outcome = await send(request, signal);
      if (channel.sent.length === 2) throw new Error("killed");
      return outcome;
    };
    await expect(deliver(channel, log)).rejects.toThrow("killed");
    channel.send = send;
    const delivered = deliver(channel, log);
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(delivered).resolves.toBe("over");
    expect(channel.sent.map(({ body }) => JSON.stringify(body["text"]).at(-2))).toEqual(["0", "1", "1", "2"]);
    expect(log.stateOf(ID)).toMatchObject({ delivery: { delivered: { message_ids: ["m1", "m3", "m4"] } } });
  });

  it("sends no more of one that ends between two messages", async () => {
    const channel = scriptedChannel("script", 2);
    const log = asked(channel);
    const send = channel.send.bind(channel);
    channel.send = (request, signal) => {
      log.decided(ID, { type: "Fail", reason: "elsewhere", nowMs: Date.now() });
      return send(request, signal);
    };
    await expect(deliver(channel, log)).resolves.toBe("over");
    expect(channel.sent).toHaveLength(1);
  });

  it("goes on behind the messages that have arrived", async () => {
    const channel = scriptedChannel("script", 3);
    channel.answers.push({ kind: "sent", messageId: "a" }, limited(100));
    const log = asked(channel);
    const done = deliver(channel, log);
    await vi.advanceTimersByTimeAsync(2_000);
    await done;
    const texts = channel.sent.map(({ body }) => JSON.stringify(body["text"]).at(-2));
    expect(texts).toEqual(["0", "1", "1", "2"]);
    expect(log.stateOf(ID)).toMatchObject({ delivery: { delivered: { message_ids: ["a", "m3", "m4"] } } });
  });

  it("sends nothing once the deadline has passed (case 14)", async () => {
    const channel = scriptedChannel();
    const log = asked(channel, 1);
    vi.setSystemTime(Date.now() + 1_500);
    await expect(deliver(channel, log)).resolves.toBe("over");
    expect(channel.sent).toEqual([]);
  });

  it("ends a wait when the question is answered elsewhere", async () => {
    const channel = scriptedChannel();
    channel.answers.push(limited(60_000));
    const log = asked(channel);
    const ended = new AbortController();
    const done = deliver(channel, log, { ended: ended.signal });
    await vi.advanceTimersByTimeAsync(10);
    log.decided(ID, { type: "Cancel", cancelledBy: "asker", nowMs: Date.now() });
    ended.abort();
    await expect(done).resolves.toBe("over");
    expect(channel.sent).toHaveLength(1);
  });

  it("is left to another worker by one that stops, and its wait with it", async () => {
    const channel = scriptedChannel();
    channel.answers.push(limited(60_000));
    const log = asked(channel);
    const stopping = new AbortController();
    const done = deliver(channel, log, { stopping: stopping.signal });
    await vi.advanceTimersByTimeAsync(10);
    stopping.abort();
    await expect(done).resolves.toBe("interrupted");
    const next = deliver(channel, log);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(channel.sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    await next;
    expect(channel.sent).toHaveLength(2);
  });

  it("asks a person to write first where the provider wants it so, and goes on once they have", async () => {
    const needed: SendOutcome = { kind: "rejected", reason: "24 hours", needsOpener: true };
    const channel = { ...scriptedChannel(), renderOpener: () => [{ method: "opener", body: {} }] };
    channel.answers.push(needed);
    const log = asked(channel);
    await deliver(channel, log);
    await deliver(channel, log);
    expect(channel.sent.map(({ method }) => method)).toEqual(["say", "opener"]);
    expect(log.stateOf(ID)).toMatchObject({ status: "pending", delivery: { delivered: { opener: true } } });
    await deliver(channel, log, {}, true);
    expect(channel.sent.map(({ method }) => method)).toEqual(["say", "opener", "say"]);
    expect(log.events.at(-1)).toBe("delivered");
  });

  it("sends nothing where another worker has begun the attempt", async () => {
    const channel = scriptedChannel();
    const log = asked(channel);
    const { record } = log;
    let isFirst = true;
    const start = async (id: string, attempt: number): Promise<boolean> => {
      if (isFirst) {
        isFirst = false;
        await record.start(id, attempt);
        await record.delivered(id, attempt, {
          address: "someone",
          messageIds: ["x"],
          controls: [],
          shape: "text",
        });
      }
      return record.start(id, attempt);
    };
    const other = { ...log, record: { ...record, start } };
    await expect(deliver(channel, other)).resolves.toBe("over");
    expect(channel.sent).toEqual([]);
  });
});
