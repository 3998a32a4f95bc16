import { createTelegramChannel } from "@interlude/channel-telegram";
import { createConversationStore } from "@interlude/event-log";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loggedQueue, placeOf } from "../src/conversations/logged-queue.ts";
import { openDispatchers } from "./dispatcher-under-test.ts";

const MOST = 161;
const channel = createTelegramChannel({
  ...{ botToken: "1:token", webhookSecret: "hook-secret", apiUrl: "http://127.0.0.1:9" },
  recipients: { default: undefined, allowed: undefined },
});

let test: Awaited<ReturnType<typeof openDispatchers>>;
beforeAll(async () => {
  test = await openDispatchers();
});
afterAll(() => test.close());

/** A chat whose questions come and go, and what the log has of it. */
function chat(address: string) {
  const { log, keyring } = test;
  const store = createConversationStore(log);
  const open = () => loggedQueue(store, keyring, log.clock);
  const queue = open();
  const question = (id: string) => ({ id, deadlineMs: log.clock.nowMs() + 60_000 });
  return {
    /** Of another worker, which reads for itself. */
    open,
    enter: (id: string, by = queue) => by.enter(channel, address, question(id)),
    leave: (id: string, by = queue) => by.leave(channel, address, id),
    events: async () => {
      const { entries } = await store.read(placeOf(keyring, channel.name, address));
      return entries.map(({ entry }) => ("type" in entry ? entry.type : entry.unknownType));
    },
  };
}

it("a chat that is never idle keeps a bounded part of what has gone from it", async () => {
  const { enter, leave, events, open } = chat("8001");
  let most = 0;
  for (let number = 1; number <= 150; number++) {
    expect(await enter(`a-${number}`)).toBe(`a-${number}`);
    expect(await leave(`a-${number}`)).toBeUndefined();
    most = Math.max(most, (await events()).length);
  }
  expect(most).toBeLessThanOrEqual(MOST);
  // The last are known to have gone, to who reads it anew too.
  for (const by of [undefined, open()]) {
    expect(await enter("a-150", by)).toBeUndefined();
    expect(await enter("a-60", by)).toBeUndefined();
  }
});

it("questions that stay open keep their places, and hold nothing up", async () => {
  const { enter, leave, events, open } = chat("8002");
  await enter("first");
  await enter("second");
  for (let number = 1; number <= 100; number++) {
    expect(await enter(`b-${number}`)).toBe("first");
    expect(await leave(`b-${number}`)).toBe("first");
  }
  expect((await events()).length).toBeLessThanOrEqual(MOST + 4);
  const anew = open();
  expect(await leave("first", anew)).toBe("second");
  expect(await leave("second", anew)).toBeUndefined();
});

it("a worker that was paused meanwhile stores nothing on what it knew", async () => {
  const { enter, leave, open } = chat("8003");
  const paused = open();
  await enter("c-0", paused);
  await leave("c-0", paused);
  const anew = open();
  for (let number = 1; number <= 120; number++) {
    await enter(`c-${number}`, anew);
    await leave(`c-${number}`, anew);
  }
  expect(await enter("c-120", paused)).toBeUndefined();
  expect(await enter("later", paused)).toBe("later");
});
