import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openConversing } from "./conversing.ts";

const [LONG, STOPPED] = [6_100, 6_101];
const ROUTES = [{ channel: "telegram", target: { driver: "chat" } }];
/** As near to the longest message as makes each a message of its own. */
const PART = 4_000;

let chats: Awaited<ReturnType<typeof openConversing>>;
beforeAll(async () => {
  chats = await openConversing([LONG, STOPPED], ROUTES);
});
afterAll(() => chats.close());
beforeEach(() => {
  chats.telegram.forgetRequests();
  chats.telegram.clearFaults();
});

/** Has a person told this, by a run that completes with it. */
async function told(person: number, result: string): Promise<void> {
  await chats.says(person, "say it", `u-${person}`);
  const { thread } = chats.placeOf(person);
  await eventually(async () => (await chats.turns()).some((turn) => turn.thread === thread), {
    withinMs: 10_000,
  });
  for (const turn of await chats.turns()) if (turn.thread === thread) await chats.completes(turn, result);
}

describe("a reply whose worker ends", { timeout: 60_000 }, () => {
  it("goes on with the next message after a stop, and uses up no attempt where nothing has left", async () => {
    let worker = await chats.worker();
    const refuse = () => {
      const busy = { status: 429, retryAfterSeconds: 60, operation: "sendMessage" } as const;
      chats.telegram.fault({ kind: "fail", ...busy });
    };
    refuse();
    await told(STOPPED, "at last");
    for (let stops = 1; stops <= 2; stops++) {
      await eventually(() => chats.said(STOPPED).length === stops, { withinMs: 10_000 });
      await chats.end(worker, "SIGTERM");
      if (stops < 2) refuse();
      worker = await chats.worker();
    }
    await eventually(() => chats.said(STOPPED).length === 3, { withinMs: 10_000 });
    expect(chats.telegram.requests.filter(({ wasCarriedOut }) => wasCarriedOut)).toHaveLength(1);
    await chats.end(worker, "SIGTERM");
  });

  it("in several messages goes on behind what is out after a kill: the one in flight is said once more", async () => {
    const victim = await chats.worker();
    chats.telegram.fault({ kind: "delay", ms: 800, times: 100, operation: "sendMessage" });
    await told(LONG, ["a", "b", "c"].map((letter) => letter.repeat(PART)).join("\n\n"));
    await eventually(() => chats.said(LONG).length === 2, { withinMs: 10_000, everyMs: 10 });
    await chats.end(victim, "SIGKILL");
    chats.telegram.clearFaults();
    const next = await chats.worker();
    const wanted = ["a", "b", "b", "c"];
    await eventually(() => chats.said(LONG).length >= wanted.length, { withinMs: 40_000 });
    await chats.end(next, "SIGTERM");
    expect(chats.said(LONG).map((text) => text.charAt(0))).toEqual(wanted);
  });
});
