import { createTelegramChannel } from "@interlude/channel-telegram";
import {
  createConversationStore,
  createInboundStore,
  inboundPlace,
  inboundSubject,
  openBucket,
} from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import { createAnswerKeys } from "@interlude/service-kit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loggedDeliveries } from "../src/adapters/logged-deliveries.ts";
import { loggedQueue, placeOf } from "../src/conversations/logged-queue.ts";
import { answerByReply, wasAnswered } from "../src/inbound/answer-by-reply.ts";
import { handleInbound, type InboundDeps } from "../src/inbound/inbound-work.ts";
import { recordUpdate } from "../src/inbound/record-update.ts";
import type { HeldPartition } from "../src/ports.ts";
import { askedOf, openDispatchers } from "./dispatcher-under-test.ts";

const channel = createTelegramChannel({
  ...{ botToken: "1:token", webhookSecret: "hook-secret", apiUrl: "http://127.0.0.1:9" },
  recipients: { default: undefined, allowed: undefined },
});

let test: Awaited<ReturnType<typeof openDispatchers>>;
beforeAll(async () => {
  test = await openDispatchers();
});
afterAll(() => test.close());

type Given = { id: string; sensitive?: boolean; fails?: "before" | "after" | "forgetting" };

/** A question that was shown in a chat of its own, and what its recipient says there while the log comes and goes. */
async function chat({ id, sensitive = false, fails }: Given) {
  const { log, store, keyring } = test;
  const { clock } = log;
  const conversations = createConversationStore(log);
  const inbound = createInboundStore(log);
  const record = loggedDeliveries(store, "w", clock);
  const answerKeys = createAnswerKeys(await openBucket(log, "answerKeys"), keyring);
  if (sensitive) await answerKeys.make(id);
  const queue = loggedQueue(conversations, keyring, clock);
  const address = `7${id.length}${id.charCodeAt(0)}`;
  const said = (text: string) => ({
    ...{ kind: "message" as const, updateId: `u-${id}`, address, from: address, messageId: "900", text },
    isDirect: true,
  });
  const place = (updateId: string) =>
    inboundPlace(channel.name, placeOf(keyring, channel.name, address).partition, updateId);
  const entered: string[] = [];
  let left = fails === undefined ? 0 : 1;

  async function shown(question: string): Promise<void> {
    const format = { answer_format: "text" as const, sensitive };
    await test.ask(askedOf(question, { channel: channel.name, recipient: address, address, ...format }));
    await queue.enter(channel, address, { id: question, deadlineMs: clock.nowMs() + 60_000 });
    await record.start(question, 1);
    await record.delivered(question, 1, {
      address,
      shape: "text",
      messageIds: [`m-${question}`],
      controls: [],
    });
  }

  const away = () =>
    new ServiceFailure("log_unavailable", { retry: "later", message: "no acknowledgement came" });
  async function forget(_: unknown, { updateId }: { updateId: string }): Promise<void> {
    if (fails === "forgetting" && left-- > 0) {
      await queue.leave(channel, address, id);
      throw away();
    }
    await inbound.forget(place(updateId));
  }
  const deps: InboundDeps = {
    ...{ conversations, record, keyring, clock, language: "en" },
    links: { baseUrl: "http://127.0.0.1", keyring },
    notifications: { find: () => Promise.resolve(undefined), fateOf: () => Promise.resolve(undefined) },
    async answer(answer) {
      if (fails === "before" && left-- > 0) {
        // Somebody else was first.
        await test.decide(id, { type: "Cancel", cancelledBy: "asker", nowMs: clock.nowMs() });
      }
      const outcome = await answerByReply({ store, answerKeys, clock, forget }, answer);
      if (fails === "after" && left-- > 0) {
        await queue.leave(channel, address, id);
        throw away();
      }
      return outcome;
    },
    forget,
    kept: () => Promise.resolve(undefined),
    wasAnswered: (reply) => wasAnswered({ store, answerKeys, forget }, reply),
    onStatus: () => Promise.resolve("done"),
    mismatched: () => Promise.resolve(),
    onIgnored: () => undefined,
    onFailure: () => undefined,
    questionOf: () => Promise.resolve(undefined),
    onReceipt: () => Promise.resolve(),
    talk: {
      isRouted: () => true,
      enter(_, { text }) {
        entered.push(text);
        return Promise.resolve("entered");
      },
    },
  };
  const never = new AbortController().signal;
  const held: HeldPartition = {
    ...{ channel, partition: 0, stopping: never, cut: never },
    outbox: { inLane: (_, work) => work(), send: () => Promise.resolve([]) },
    deliverNow: () => Promise.resolve(),
  };

  return {
    entered,
    shown,
    says: async (text: string, isRedelivered = false): Promise<void> => {
      await recordUpdate(
        { inbound, conversations, keyring, clock, onIgnored: () => undefined },
        channel,
        said(text),
      );
      const stored = await inbound.find(inboundSubject(place(`u-${id}`)));
      if (stored === undefined) throw new Error("it was not kept");
      expect(await handleInbound(deps, held, stored, isRedelivered)).toBe("done");
    },
    kept: () => inbound.find(inboundSubject(place(`u-${id}`))),
    statusOf: async (question: string) => (await test.stateOf(question)).status,
  };
}

it("what has answered a question whose acknowledgement was lost is neither a turn nor another's answer", async () => {
  const { entered, shown, says, statusOf } = await chat({ id: "lost-ack", fails: "after" });
  await shown("lost-ack");
  await says("blue");
  expect(await test.stateOf("lost-ack")).toMatchObject({ status: "answered", answered: { answer: "blue" } });
  await shown("the-next");
  await says("blue", true);
  expect(await statusOf("the-next")).toBe("pending");
  expect(entered).toEqual([]);
});

it("a sensitive answer that is decided again goes nowhere else, and its message is forgotten", async () => {
  const { entered, shown, says, kept } = await chat({ id: "secret", sensitive: true, fails: "forgetting" });
  await shown("secret");
  await says("red-alder-77");
  expect(await test.stateOf("secret")).toMatchObject({ status: "answered" });
  expect(entered).toEqual([]);
  expect((await kept())?.entry).toMatchObject({ kind: "ignored" });
});

it("words to a question that ended at the same moment are said to whom they go to now", async () => {
  const { entered, shown, says, statusOf } = await chat({ id: "overtaken", fails: "before" });
  await shown("overtaken");
  await says("green");
  expect(await statusOf("overtaken")).toBe("cancelled");
  expect(entered).toEqual(["green"]);
});
