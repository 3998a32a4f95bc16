import type { InteractionEvent } from "@interlude/contract";
import type { StoredEntry } from "@interlude/event-log";
import { beforeEach, describe, expect, it } from "vitest";
import { channelOutbox } from "./channel-outbox.ts";
import { askedOn, memoryRecord, scriptedChannel, type ScriptedChannel } from "./delivery.fixture.ts";
import { createLanes } from "./lanes.ts";
import { createQuestionWork, type QuestionWork } from "./question-work.ts";
import { createSendGate } from "./send-gate.ts";
import type { FrontQueue } from "../ports.ts";

/** A conversation's open questions, in memory. */
function memoryQueue(): FrontQueue & { open: string[]; gone: Set<string> } {
  const open: string[] = [];
  const gone = new Set<string>();
  return {
    open,
    gone,
    enter(_channel, _address, { id }) {
      if (!gone.has(id) && !open.includes(id)) open.push(id);
      return Promise.resolve(open[0]);
    },
    leave(_channel, _address, id) {
      gone.add(id);
      if (open.includes(id)) open.splice(open.indexOf(id), 1);
      return Promise.resolve(open[0]);
    },
    alias: () => Promise.resolve(),
  };
}

let channel: ScriptedChannel;
let log: ReturnType<typeof memoryRecord>;
let queue: ReturnType<typeof memoryQueue>;
let stopping: AbortController;
let work: QuestionWork;

function start(replyContext: boolean): void {
  channel = scriptedChannel("sms");
  Object.assign(channel, { capabilities: { ...channel.capabilities, replyContext } });
  log = memoryRecord(() => Date.now());
  queue = memoryQueue();
  stopping = new AbortController();
  const gate = createSendGate({ bound: 4, nowMs: () => Date.now() });
  const rules = { attempts: 3, backoffMs: 5 };
  const ending = { stopping: stopping.signal, cut: new AbortController().signal };
  const onSend = (): void => undefined;
  work = createQuestionWork(
    {
      ...{ channel, gate, rules, onSend, record: log.record, front: queue, language: "en" },
      clock: { nowMs: () => Date.now() },
      onFailure: () => undefined,
      onAlias: () => Promise.resolve(),
      onReceipt: () => Promise.resolve(),
      outgoing: ({ question, interaction_id: reference }) => ({
        ...{ format: "confirm", reference, recipient: "someone", question, pageUrl: "", deadlineMs: 0 },
      }),
    },
    {
      ...{ channel, partition: 0, ...ending },
      outbox: channelOutbox(createLanes(), { channel, gate, rules, onSend }, ending),
    },
  );
}

/** The event as the log keeps it. */
function stored(event: InteractionEvent): StoredEntry {
  const { interaction_id: id } = event.data;
  return {
    ...{ sequence: 1, storedAtMs: 0, eventId: "e" },
    address: { channel: "sms", partition: 0, id },
    entry: event,
  };
}

async function ask(id: string): Promise<void> {
  const asked = askedOn("sms", id);
  log.decided(id, { type: "Ask", asked });
  await work.onEvent(stored({ type: "asked", data: asked }));
}

async function cancel(id: string): Promise<void> {
  log.decided(id, { type: "Cancel", cancelledBy: "asker", nowMs: Date.now() });
  const state = log.stateOf(id);
  if (state.status !== "cancelled") throw new Error("it was not cancelled");
  await work.onEvent(stored({ type: "cancelled", data: state.cancelled }));
}

const texts = (): string[] => channel.sent.map(({ body }) => JSON.stringify(body["text"] ?? body["status"]));

describe("where a reply says what it is to", () => {
  beforeEach(() => {
    start(true);
  });

  it("every question goes out, and has its place", async () => {
    await Promise.all([ask("a"), ask("b")]);
    expect(texts()).toEqual(['"Question a? 0"', '"Question b? 0"']);
    expect(queue.open).toEqual(["a", "b"]);
  });

  it("an end is shown once, to whom the question has reached", async () => {
    await ask("a");
    await cancel("a");
    expect(texts()).toEqual(['"Question a? 0"', '"cancelled"']);
    expect(queue.open).toEqual([]);
  });

  it("an end of what never reached anybody is not", async () => {
    channel.answers.push({ kind: "rejected", reason: "no" });
    await ask("a");
    const state = log.stateOf("a");
    if (state.status !== "failed") throw new Error("it has not failed");
    await work.onEvent(stored({ type: "failed", data: state.failed }));
    expect(channel.sent).toHaveLength(1);
  });

  it("nothing is begun by a worker that stops", async () => {
    stopping.abort();
    await expect(ask("a")).rejects.toThrow();
    expect(channel.sent).toEqual([]);
  });
});

describe("where it does not", () => {
  beforeEach(() => {
    start(false);
  });

  it("one question is out at a time, and its end lets the next go", async () => {
    for (const id of ["a", "b", "c"]) await ask(id);
    expect(texts()).toEqual(['"Question a? 0"']);
    await cancel("a");
    expect(texts().at(-1)).toBe('"Question b? 0"');
    await cancel("c");
    expect(texts().filter((text) => text.includes("Question"))).toHaveLength(2);
    await cancel("b");
    expect(texts().filter((text) => text.includes("Question"))).toHaveLength(2);
  });

  it("one that ended while it waited is never sent", async () => {
    for (const id of ["a", "b", "c"]) await ask(id);
    await cancel("b");
    await cancel("a");
    expect(texts().filter((text) => text.includes("Question"))).toEqual([
      '"Question a? 0"',
      '"Question c? 0"',
    ]);
  });

  it("an event that comes twice sends nothing twice", async () => {
    await ask("a");
    await ask("b");
    await work.onEvent(stored({ type: "asked", data: askedOn("sms", "a") }));
    await cancel("a");
    const before = texts().filter((text) => text.includes("Question")).length;
    const state = log.stateOf("a");
    if (state.status === "cancelled")
      await work.onEvent(stored({ type: "cancelled", data: state.cancelled }));
    expect(texts().filter((text) => text.includes("Question"))).toHaveLength(before);
    expect(before).toBe(2);
  });
});
