import { once } from "node:events";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConversing } from "./conversing.ts";

const PEOPLE = Array.from({ length: 12 }, (_, index) => 6_000 + index);
const ROUTES = [{ channel: "telegram", target: { driver: "chat" }, reply: "join(' ', ['re', result])" }];

let chats: Awaited<ReturnType<typeof openConversing>>;
beforeAll(async () => {
  chats = await openConversing(PEOPLE, ROUTES);
});
afterAll(() => chats.close());

describe("what people say while a worker is killed", { timeout: 90_000 }, () => {
  it("is a turn each, once and in order, and is answered in order, with one repeat at most of what was on its way", async () => {
    const [victim] = [await chats.worker(), await chats.worker()];
    chats.telegram.fault({ kind: "delay", ms: 60, times: 1_000, operation: "sendMessage" });
    const numbers = [1, 2, 3, 4, 5];
    const saying = (async () => {
      for (const number of numbers) {
        for (const person of PEOPLE) {
          const update = `${person}-${number}`;
          // A provider delivers twice, at the same time.
          await Promise.all([
            chats.says(person, `say ${number}`, update),
            chats.says(person, `say ${number}`, update),
          ]);
        }
      }
    })();
    const completed = new Set<string>();
    const wanted = numbers.map((number) => `re say ${number}`);
    const exited = once(victim, "exit");
    await eventually(
      async () => {
        for (const turn of await chats.turns()) {
          const { parkToken } = turn.address;
          if (!completed.has(parkToken)) await chats.completes(turn);
          completed.add(parkToken);
        }
        if (chats.telegram.requests.length > 12) victim.kill("SIGKILL");
        for (const person of PEOPLE) expect([...new Set(chats.said(person))]).toEqual(wanted);
      },
      { withinMs: 60_000, everyMs: 100 },
    );
    await Promise.all([saying, exited]);
    for (const person of PEOPLE) {
      const { thread } = chats.placeOf(person);
      const texts = (await chats.turns()).filter((turn) => turn.thread === thread).map(({ text }) => text);
      expect(texts).toEqual(numbers.map((number) => `say ${number}`));
    }
    const doubled = PEOPLE.reduce((sum, person) => sum + chats.said(person).length - wanted.length, 0);
    expect(doubled).toBeLessThanOrEqual(8);
  });
});
