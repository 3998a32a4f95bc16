import { randomUUID } from "node:crypto";
import type { ConversationEvent, InboundReceivedData } from "@interlude/contract";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  channelDurable,
  channelStream,
  CHANNEL_READINGS,
  consumeDurable,
  createConversationStore,
  createInboundStore,
  inboundPlace,
  inboundSubject,
  provisionLog,
  readConversationDelivery,
  readInboundDelivery,
  STREAMS,
  type ThreadAddress,
  verifyLog,
} from "../src/index.ts";
import { openTestLog } from "./open-test-log.ts";

const SIZES = { maxBytes: 268_435_456, replicas: 1 };
const AT = "2031-03-01T12:00:00.000Z";

let test: Awaited<ReturnType<typeof openTestLog>>;
beforeAll(async () => {
  test = await openTestLog();
  await provisionLog(test.log, SIZES, ["sms", "own"]);
});
afterAll(() => test.close());

function update(updateId: string): InboundReceivedData {
  return {
    ...{ channel: "sms", kind: "message", update_id: updateId, thread: "t-1", received_at: AT },
    sealed: "sealed",
  };
}

const write = () => ({ eventId: randomUUID(), nowMs: Date.parse(AT) });

describe("the durables of a channel", () => {
  it("are there for each partition and what is read of it, and a log without them is not fit", async () => {
    for (const what of CHANNEL_READINGS) {
      const info = await test.log.manager.consumers.info(
        channelStream(what),
        channelDurable("own", 15, what),
      );
      expect(info.config.ack_wait).toBe(12_000_000_000);
    }
    await verifyLog(test.log, ["sms", "own"]);
    await expect(verifyLog(test.log, ["slack"])).rejects.toThrow("slack-0-questions is missing");
  });

  it("give a partition what is its own, once", async () => {
    const place = inboundPlace("sms", 7, "u-own");
    const seen: string[] = [];
    const consumer = consumeDurable(test.log, {
      ...{ stream: STREAMS.inbound, durable: channelDurable("sms", 7, "inbound"), concurrency: 4 },
      handle: (delivery) => {
        const { entry } = readInboundDelivery(delivery);
        seen.push("unknownType" in entry ? entry.unknownType : entry.update_id);
        return Promise.resolve("done");
      },
      onFailure: (error) => seen.push(String(error)),
    });
    const store = createInboundStore(test.log);
    await store.add(update("u-other"), inboundPlace("sms", 8, "u-other"));
    await store.add(update("u-own"), place);
    await eventually(() => seen.length > 0);
    await consumer.close();
    expect(seen).toEqual(["u-own"]);
  });
});

describe("what comes over a channel", () => {
  it("is stored once, however often the provider tells of it", async () => {
    const store = createInboundStore(test.log);
    const place = inboundPlace("sms", 1, "u-1");
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => store.add(update("u-1"), place)));
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 7 }, () => "duplicate"), "stored"]);
    const found = await store.find(inboundSubject(place));
    expect(found).toMatchObject({ entry: { update_id: "u-1", sealed: "sealed", thread: "t-1" } });
  });

  it("can be forgotten: that it came is kept, so that a repeat is one, and nothing of what it said", async () => {
    const store = createInboundStore(test.log);
    const place = inboundPlace("sms", 1, "u-2");
    const subject = inboundSubject(place);
    await store.add(update("u-2"), place);
    await store.forget(place);
    await store.forget(place);
    const found = await store.find(subject);
    expect(found).toMatchObject({ entry: { update_id: "u-2", kind: "ignored" } });
    expect(found?.entry).not.toHaveProperty("sealed");
    const { state } = await test.log.manager.streams.info("INBOUND", { subjects_filter: subject });
    expect(state.subjects).toEqual({ [subject]: 1 });
    expect(await store.add(update("u-2"), place)).toBe("duplicate");
    await store.forget(inboundPlace("sms", 1, "u-never"));
  });

  it("says nothing of the provider's id in its subject", () => {
    expect(inboundSubject(inboundPlace("sms", 3, "+15551234567 *>"))).toMatch(
      /^inbound\.sms\.3\.x_[A-Za-z0-9_-]{43}$/,
    );
  });
});

describe("a conversation", () => {
  const place = (thread: string): ThreadAddress => ({ channel: "sms", partition: 2, thread });
  const closed = (thread: string, id: string): ConversationEvent => ({
    type: "closed",
    data: { channel: "sms", thread, at: AT, interaction_id: id },
  });

  it("is appended to by one of several who saw the same", async () => {
    const store = createConversationStore(test.log);
    const outcomes = await Promise.all(
      ["q-1", "q-2", "q-3"].map((id) => store.append(closed("t-a", id), place("t-a"), 0, write())),
    );
    expect(outcomes.filter(({ status }) => status === "appended")).toHaveLength(1);
    const { entries, position } = await store.read(place("t-a"));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      sequence: position,
      address: place("t-a"),
      entry: { type: "closed" },
    });
  });

  it("keeps every event in order, apart from other conversations, until it is forgotten", async () => {
    const store = createConversationStore(test.log);
    let position = 0;
    for (const id of ["q-1", "q-2", "q-3"]) {
      const outcome = await store.append(closed("t-b", id), place("t-b"), position, write());
      if (outcome.status !== "appended") throw new Error(outcome.status);
      position = outcome.sequence;
    }
    await store.append(closed("t-c", "q-9"), place("t-c"), 0, write());
    const { entries } = await store.read(place("t-b"));
    expect(
      entries.map(
        ({ entry }) => "data" in entry && "interaction_id" in entry.data && entry.data.interaction_id,
      ),
    ).toEqual(["q-1", "q-2", "q-3"]);
    await store.forget(place("t-b"), "closed", entries[1]?.sequence ?? 0);
    expect((await store.read(place("t-b"))).entries).toHaveLength(1);
    expect((await store.read(place("t-c"))).entries).toHaveLength(1);
  });

  it("hands what is due to its partition's worker", async () => {
    const seen: string[] = [];
    const consumer = consumeDurable(test.log, {
      ...{
        stream: STREAMS.conversations,
        durable: channelDurable("sms", 2, "conversations"),
        concurrency: 1,
      },
      handle: (delivery) => {
        const { entry } = readConversationDelivery(delivery);
        seen.push("type" in entry ? entry.type : entry.unknownType);
        return Promise.resolve("done");
      },
      onFailure: (error) => seen.push(String(error)),
    });
    const due: ConversationEvent = {
      type: "reply_due",
      data: {
        ...{ channel: "sms", thread: "t-d", at: AT, cause: "runs.1", sealed: "sealed" },
        ...{ driver: "bot", run_id: "c_t-d", park_id: "t_1" },
      },
    };
    await createConversationStore(test.log).append(due, place("t-d"), 0, write());
    await eventually(() => seen.length > 0);
    await consumer.close();
    expect(seen).toEqual(["reply_due"]);
  });

  it("refuses a place that would name others", async () => {
    const reading = createConversationStore(test.log).read({ channel: "sms", partition: 2, thread: "*" });
    await expect(reading).rejects.toMatchObject({ code: "invariant_broken" });
  });
});

describe("provisioning again", () => {
  it("keeps how long updates are kept, unless another time is asked for", async () => {
    const age = async () => (await test.log.manager.streams.info(STREAMS.inbound)).config.max_age;
    await provisionLog(test.log, { ...SIZES, inboundRetentionDays: 7 }, ["sms"]);
    expect(await age()).toBe(7 * 86_400_000_000_000);
    await provisionLog(test.log, SIZES, ["sms"]);
    expect(await age()).toBe(7 * 86_400_000_000_000);
  });
});
