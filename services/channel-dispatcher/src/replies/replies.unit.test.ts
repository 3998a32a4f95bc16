import type { SendOutcome } from "@interlude/channel-kit";
import { type ConversationEvent, type RunEvent, TURN_LABEL } from "@interlude/contract";
import type { ConversationStore, StoredConversationEntry, ThreadAddress } from "@interlude/event-log";
import { type Json, ServiceFailure } from "@interlude/kernel";
import { generateKeyring, parseKeyring, sealPayload } from "@interlude/secrets";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { channelOutbox } from "../application/channel-outbox.ts";
import { scriptedChannel, type ScriptedChannel } from "../application/delivery.fixture.ts";
import { createLanes } from "../application/lanes.ts";
import { createSendGate } from "../application/send-gate.ts";
import { parseRoutes } from "../conversations/routes.ts";
import { dueReply } from "./due-replies.ts";
import { postReply } from "./post-reply.ts";
import { replyRecord } from "./reply-record.ts";

const keyring = parseKeyring(generateKeyring(), "KEYS");
const THREAD = "t".repeat(43);
const place: ThreadAddress = { channel: "script", partition: 3, thread: THREAD };
const clock = { nowMs: () => Date.now() };
const unknown: SendOutcome = { kind: "unknown", reason: "the connection was lost" };

type Log = ConversationStore & {
  readonly stored: ConversationEvent[];
  add(event: ConversationEvent, eventId?: string): number;
  /** Lets another worker come in between. */
  beforeAppend: (() => void) | undefined;
};

/** One conversation in memory, as the log keeps it. */
function memoryLog(): Log {
  let entries: StoredConversationEntry[] = [];
  let last = 0;
  const log: Log = {
    beforeAppend: undefined,
    get stored() {
      return entries.flatMap(({ entry }) => ("type" in entry ? [entry] : []));
    },
    add(entry, eventId = "") {
      entries.push({ sequence: ++last, storedAtMs: 0, eventId, address: place, entry });
      return last;
    },
    read: () => Promise.resolve({ entries: [...entries], position: entries.at(-1)?.sequence ?? 0 }),
    append(event, _address, position, { eventId }) {
      const before = log.beforeAppend;
      log.beforeAppend = undefined;
      before?.();
      if (position !== (entries.at(-1)?.sequence ?? 0)) return Promise.resolve({ status: "conflict" });
      return Promise.resolve({ status: "appended", sequence: log.add(event, eventId) });
    },
    forget(_address, type, upTo) {
      entries = entries.filter(
        ({ entry, sequence }) => !("type" in entry) || entry.type !== type || sequence > upTo,
      );
      return Promise.resolve();
    },
  };
  return log;
}

let log: Log;
let channel: ScriptedChannel;
let ignored: string[];
let lost: string[];
beforeEach(() => {
  log = memoryLog();
  channel = scriptedChannel("script");
  ignored = [];
  lost = [];
});

async function due(
  result: Json | undefined,
  { sequence = 7, reply = "result", runToken = `c_${THREAD}`, driver = "bot" } = {},
) {
  const routes = parseRoutes([{ channel: "script", target: { driver: "bot" }, reply }]);
  if (!routes.ok) throw new Error(routes.faults.join());
  const content = {
    address: "ada",
    from: "ada",
    text: "hi",
    at: "2030-01-01T00:00:00.000Z",
    reply_to: "m-9",
  };
  const turn = { ...place, route: "gone", sealed: sealPayload(keyring, TURN_LABEL, content) };
  const event: RunEvent = {
    type: "resumed",
    data: {
      ...{
        driver,
        run_id: `c_${THREAD}`,
        park_id: "t_1",
        owner: "ann",
        at: content.at,
        claim_id: "c",
        fencing: 1,
      },
      ...(result === undefined ? {} : { result }),
    },
  };
  await dueReply(
    {
      ...{ keyring, routes: routes.routes, record: replyRecord(log, "w", clock) },
      turns: { startOf: () => Promise.resolve(turn) },
      onIgnored: (_channel, reason) => ignored.push(reason),
      onFailure: () => undefined,
    },
    {
      ...{ sequence, storedAtMs: 0, eventId: "e", entry: event },
      address: { driver, runToken, parkToken: "t_1" },
    },
  );
}

const types = (): string[] => log.stored.map(({ type }) => type);

/** A worker that takes what is due, and says it unless it is cut short. */
async function post({
  worker = "w",
  stopping = new AbortController(),
  record = replyRecord(log, worker, clock),
  backoffMs = 1,
  cause = "runs.7",
} = {}) {
  const event = log.stored.find(({ type, data }) => type === "reply_due" && data.cause === cause);
  if (event?.type !== "reply_due") throw new Error("nothing is due");
  const gate = createSendGate({ bound: 4, nowMs: () => Date.now() });
  const ending = { stopping: stopping.signal, cut: new AbortController().signal };
  const sending = { channel, gate, rules: { attempts: 3, backoffMs }, onSend: () => undefined };
  const outbox = channelOutbox(createLanes(), sending, ending);
  await postReply(
    { record, keyring, onFailure: () => undefined, onLost: (_channel, reason) => lost.push(reason) },
    { ...ending, channel, partition: 3, outbox, deliverNow: () => Promise.resolve() },
    place,
    event.data,
  );
}

describe("what a run came to", () => {
  it("is due once, however often it is told of", async () => {
    await due("hello");
    await due("hello");
    await due("more", { sequence: 8 });
    expect(types()).toEqual(["reply_due", "reply_due"]);
  });

  it.each<[string, Json | undefined, Parameters<typeof due>[1], string[]]>([
    ["nothing", undefined, {}, []],
    ["null", null, {}, []],
    ["what the mapping makes nothing of", { a: 1 }, { reply: "result.b" }, []],
    [
      "more than the log takes",
      "x".repeat(60_000),
      { reply: "[result, result, result, result, result, result, result]" },
      ["reply_too_large"],
    ],
    ["what the mapping cannot take", null, { reply: "join(',', result)" }, ["reply_not_mapped"]],
    ["the result of another's run", "hello", { runToken: "trip-1" }, []],
    ["the result of a driver without a route", "hello", { driver: "gone" }, ["reply_without_route"]],
  ])("is not said where it is %s", async (_name, result, more, reasons) => {
    await due(result, more);
    expect(types()).toEqual([]);
    expect(ignored).toEqual(reasons);
  });
});

describe("a reply", () => {
  beforeEach(() => due("hello"));

  it("is said once, and a repeat of what is due says nothing", async () => {
    await post();
    await post();
    expect(channel.sent).toEqual([{ method: "say", body: { address: "ada", text: "hello" } }]);
    expect(types()).toEqual(["reply_due", "posting", "posted"]);
  });

  it("whose worker died before it heard of the provider is said once more, and no third time", async () => {
    const record = replyRecord(log, "w", clock);
    const dies = () => Promise.reject(new Error("killed"));
    await expect(post({ record: { ...record, posted: dies } })).rejects.toThrow("killed");
    await expect(post({ record: { ...record, posted: dies } })).rejects.toThrow("killed");
    await post();
    expect(channel.sent).toHaveLength(2);
    expect(log.stored.at(-1)).toMatchObject({
      type: "posted",
      data: { failed: "nobody knows whether it arrived" },
    });
    expect(lost).toEqual(["nobody knows whether it arrived"]);
  });

  it("that may have arrived is repeated once by one worker, and by a second one not at all", async () => {
    channel.answers.push(unknown, unknown, unknown);
    await post();
    expect(channel.sent).toHaveLength(2);
    expect(lost).toEqual(["the connection was lost"]);

    log = memoryLog();
    channel = scriptedChannel("script");
    await due("hello");
    await replyRecord(log, "dead", clock).begin(place, "runs.7", []);
    channel.answers.push(unknown, unknown);
    await post();
    expect(channel.sent).toHaveLength(1);
  });

  it("is not said by a worker that was only paused, once another has said it", async () => {
    log.beforeAppend = () => {
      const head = { channel: "script", thread: THREAD, at: "2030-01-01T00:00:00.000Z", cause: "runs.7" };
      log.add({ type: "posting", data: { ...head, attempt: 1, worker: "other" } });
      log.add({ type: "posted", data: { ...head, message_ids: ["m-1"] } });
    };
    await post();
    expect(channel.sent).toEqual([]);
  });

  it("that a stopping worker has not begun is begun by the next, with every attempt left", async () => {
    const stopping = new AbortController();
    stopping.abort();
    await expect(post({ stopping })).rejects.toThrow();
    expect(types()).toEqual(["reply_due"]);
    channel.answers.push({ kind: "rate_limited", retryAfterMs: 1, scope: "conversation" });
    await post();
    expect(types()).toEqual(["reply_due", "posting", "not_posted", "posting", "posted"]);
    expect(lost).toEqual([]);
  });

  it("uses up no attempt where nothing has left, however often its worker is stopped", async () => {
    const nothing: SendOutcome[] = [
      { kind: "rate_limited", retryAfterMs: 60_000, scope: "conversation" },
      { kind: "not_sent", reason: "connection refused" },
      { kind: "rate_limited", retryAfterMs: 60_000, scope: "channel" },
    ];
    for (const outcome of nothing) {
      channel.answers.push(outcome);
      const stopping = new AbortController();
      const stopped = post({ stopping, backoffMs: 60_000 });
      await vi.waitFor(() => {
        expect(types().at(-1)).toBe("not_posted");
      });
      stopping.abort();
      await expect(stopped).rejects.toThrow();
    }
    await post();
    expect(types().at(-1)).toBe("posted");
    expect(lost).toEqual([]);
  });

  it("waits for a log that is away", async () => {
    const record = replyRecord(log, "w", clock);
    let isAway = true;
    const begin: typeof record.begin = (...given) => {
      const failure = new ServiceFailure("log_unavailable", { retry: "later" });
      if (!isAway) return record.begin(...given);
      isAway = false;
      return Promise.reject(failure);
    };
    await post({ record: { ...record, begin } });
    expect(types()).toEqual(["reply_due", "posting", "posted"]);
  });

  it("to a provider that is away is tried as often as the settings say, and is then told of as lost", async () => {
    const away: SendOutcome = { kind: "not_sent", reason: "connection refused" };
    channel.answers.push(away, away, away);
    await post();
    expect(channel.sent).toHaveLength(3);
    expect(types().at(-1)).toBe("posted");
    expect(lost).toEqual(["connection refused"]);
  });

  it("that the provider refuses is given up, with the reason", async () => {
    channel.answers.push({ kind: "rejected", reason: "blocked by the user" });
    await post();
    expect(lost).toEqual(["blocked by the user"]);
  });
});

describe("a reply in several messages", () => {
  const texts = () => channel.sent.map(({ body }) => body["text"]);

  /** A worker that dies with the provider's answer to its `number`-th send. */
  async function killedAt(number: number): Promise<void> {
    const send = channel.send.bind(channel);
    let sends = 0;
    channel.send = async (request, signal) => {
      const outcome = await send(request, signal);
      sends++;
      if (sends === number) throw new Error("killed");
      return outcome;
    };
    await expect(post()).rejects.toThrow("killed");
    channel.send = send;
  }

  it("goes on behind what is out after a kill: the one in flight is said once more", async () => {
    await due("one\ntwo\nthree");
    await killedAt(2);
    await post();
    expect(texts()).toEqual(["one", "two", "two", "three"]);
    expect(log.stored.at(-1)).toMatchObject({ type: "posted", data: { message_ids: ["m1", "m3", "m4"] } });
    await post();
    expect(channel.sent).toHaveLength(4);
  });

  it("has attempts for each of its messages", async () => {
    await due("one\ntwo\nthree");
    await killedAt(1);
    await killedAt(2);
    await killedAt(2);
    await post();
    expect(texts()).toEqual(["one", "one", "two", "two", "three", "three"]);
    expect(lost).toEqual([]);
  });

  it("that nobody knows of twice is given up where it stands", async () => {
    await due("one\ntwo\nthree");
    await killedAt(2);
    await killedAt(1);
    await post();
    expect(texts()).toEqual(["one", "two", "two"]);
    expect(log.stored.at(-1)).toMatchObject({ type: "posted", data: { message_ids: ["m1"] } });
    expect(lost).toEqual(["nobody knows whether it arrived"]);
  });

  it("goes no further by a worker that was only paused", async () => {
    await due("one\ntwo");
    const begin = replyRecord(log, "paused", clock);
    await begin.begin(place, "runs.7", []);
    await replyRecord(log, "other", clock).begin(place, "runs.7", ["m-1"]);
    expect(await begin.begin(place, "runs.7", [])).toBe("over");
    await begin.notOut(place, "runs.7", [], "stopped");
    expect(types()).toEqual(["reply_due", "posting", "posting"]);
  });
});

describe("a conversation of many replies", () => {
  const head = { channel: "script", thread: THREAD, at: "2030-01-01T00:00:00.000Z" };
  const of = (kind: ConversationEvent["type"]) => types().filter((type) => type === kind).length;

  it("forgets those that are out, and keeps the last, so that it is said once", async () => {
    for (let sequence = 1; sequence <= 20; sequence++) {
      await due(`number ${sequence}`, { sequence });
      await post({ cause: `runs.${sequence}` });
    }
    expect(types()).toHaveLength(60);
    await due("what is said now", { sequence: 100 });
    await due("what is said next", { sequence: 101 });
    const [next] = log.stored.slice(-1);
    await post({ cause: "runs.100" });
    expect(types()).toEqual(["reply_due", "reply_due", "posting", "posted"]);
    expect(log.stored).toContain(next);
    // Told of again, neither it nor what was forgotten is due once more.
    await due("what is said now", { sequence: 100 });
    await due("number 1", { sequence: 1 });
    expect(of("reply_due")).toBe(2);
  });

  it("forgets none for the sake of its questions", async () => {
    for (let number = 1; number <= 100; number++) {
      const interaction_id = `q${number}`;
      log.add({ type: "queued", data: { ...head, interaction_id, deadline_at: head.at } });
    }
    for (const sequence of [1, 2]) {
      await due(`number ${sequence}`, { sequence });
      await post({ cause: `runs.${sequence}` });
    }
    expect([of("queued"), of("reply_due"), of("posted")]).toEqual([100, 2, 2]);
  });
});
