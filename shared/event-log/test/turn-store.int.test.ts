import { randomUUID } from "node:crypto";
import { formatInstant } from "@interlude/contract";
import type { RunCommand } from "@interlude/domain";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  conversationRunId,
  createRunStore,
  createTurnStore,
  handleRunCommand,
  type ParkAddress,
  parkAddress,
  turnAddress,
} from "../src/index.ts";
import { openTestLog } from "./open-test-log.ts";

const DRIVER = "bot";

let test: Awaited<ReturnType<typeof openTestLog>>;
beforeAll(async () => {
  test = await openTestLog();
});
afterAll(() => test.close());

const threadOf = (name: string): string => name.padEnd(43, "x");

/** A run of a conversation, and what its driver does. */
function run(name: string) {
  const thread = threadOf(name);
  const { log } = test;
  const runId = conversationRunId(thread);
  const turns = createTurnStore(log);
  const runs = createRunStore(log);
  const nowMs = () => log.clock.nowMs();
  const does = async (address: ParkAddress, command: (nowMs: number) => RunCommand): Promise<void> => {
    expect((await handleRunCommand(runs, address, command, nowMs)).ok).toBe(true);
  };

  return {
    async said(id: string, route: string): Promise<ParkAddress> {
      const address = turnAddress(DRIVER, runId, `t_${name}-${id}`);
      const data = {
        ...{ driver: DRIVER, run_id: runId, park_id: address.parkToken, owner: "ann" },
        ...{ at: formatInstant(nowMs()), turn: { channel: "sms", partition: 1, thread, route, sealed: id } },
      };
      await turns.receive(data, address, { eventId: randomUUID(), nowMs: nowMs() });
      return address;
    },
    /** Claims it; the run parks under the claim if it is to, and ends it. */
    async goesOn(
      address: ParkAddress,
      parks?: string,
      meanwhile = () => Promise.resolve(),
    ): Promise<ParkAddress | undefined> {
      const claimId = randomUUID();
      const claim = { type: "Claim", claimId, leaseMs: 60_000, maxAttempts: 9, owner: "ann" } as const;
      await does(address, (now) => ({ ...claim, nowMs: now }));
      await meanwhile();
      const park = parks === undefined ? undefined : parkAddress(DRIVER, runId, [parks]);
      if (park !== undefined && parks !== undefined) {
        const ids = { driver: DRIVER, runId, parkId: park.parkToken, owner: "ann", interactionIds: [parks] };
        await does(park, (now) => ({ type: "Park", ...ids, fromClaim: claimId, nowMs: now }));
      }
      const end = park === undefined ? { result: "done" } : { parked: true };
      await does(address, (now) => ({ type: "Complete", claimId, ...end, nowMs: now }));
      if (park !== undefined) await does(park, (now) => ({ type: "RequestResume", nowMs: now }));
      return park;
    },
    routeOf: async (address: ParkAddress | undefined) =>
      address === undefined ? undefined : (await turns.startOf(address))?.route,
  };
}

it("what a run comes to belongs to what was said that it goes on from, whatever was said since", async () => {
  const chat = run("one");
  const [first, second] = [await chat.said("1", "orders"), await chat.said("2", "help")];
  expect([await chat.routeOf(first), await chat.routeOf(second)]).toEqual(["orders", "help"]);
  const parked = await chat.goesOn(first, "q-1");
  const other = await chat.goesOn(second, "q-2");
  expect([await chat.routeOf(parked), await chat.routeOf(other)]).toEqual(["orders", "help"]);
  const again = parked && (await chat.goesOn(parked, "q-3"));
  expect(await chat.routeOf(again)).toBe("orders");
});

it("it is found however much was stored in between", async () => {
  const chat = run("far");
  const first = await chat.said("1", "orders");
  const others = async () => {
    const subjects = Array.from({ length: 2_500 }, (_, index) => `runs.parked.other.r.p${index}`);
    await Promise.all(subjects.map((subject) => test.log.jetstream.publish(subject, "{}")));
  };
  const parked = await chat.goesOn(first, "f-1", others);
  await chat.said("2", "help");
  const again = parked && (await chat.goesOn(parked, "f-2"));
  expect(await chat.routeOf(again)).toBe("orders");
});

it("a replica that is behind is no word of what was said: it is looked for again", async () => {
  const chat = run("lag");
  const parked = await chat.goesOn(await chat.said("1", "orders"), "l-1");
  await chat.said("2", "help");
  vi.spyOn(test.log.requests, "all").mockResolvedValueOnce([
    { status: 404, description: "Message Not Found", data: new Uint8Array(), headers: undefined },
  ]);
  await expect(chat.routeOf(parked)).rejects.toMatchObject({ code: "log_unavailable", retry: "later" });
  expect(await chat.routeOf(parked)).toBe("orders");
});

it("where retention has taken that, it is the last that was said; a run of no conversation has none", async () => {
  const chat = run("gone");
  await chat.said("1", "help");
  expect(await chat.routeOf(parkAddress(DRIVER, conversationRunId(threadOf("gone")), ["never"]))).toBe(
    "help",
  );
  expect(await chat.routeOf(parkAddress(DRIVER, "another", ["q"]))).toBeUndefined();
});
