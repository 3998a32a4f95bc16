import type { Delivery } from "@interlude/event-log";
import { eventually } from "@interlude/testing";
import { describe, expect, it } from "vitest";
import { createHeldDeliveries } from "./held-deliveries.ts";
import { startRecovery } from "./recovery.ts";

function delivery(sequence: number, said: string[] = []): Delivery {
  return {
    ...{ subject: "s", sequence, storedAtMs: 0, redelivered: true, data: new Uint8Array() },
    header: () => "",
    ack: () => said.push(`ack ${sequence}`),
    nak: () => said.push(`nak ${sequence}`),
    working: () => said.push(`working ${sequence}`),
    term: () => said.push(`term ${sequence}`),
  };
}

function recovery(missing: number, unacknowledged: () => number, withinMs = 5_000) {
  const passed: number[] = [];
  let held = 0;
  const started = startRecovery({
    ...{ missing, withinMs, everyMs: 5 },
    look: () => Promise.resolve({ unacknowledged: unacknowledged() }),
    heldCount: () => held,
    pass: ({ sequence }) => passed.push(sequence),
    onFailure: () => undefined,
  });
  const take = (sequence: number): void => {
    held++;
    started.take(delivery(sequence));
  };
  return { passed, take, done: started.done };
}

describe("taking over a partition", () => {
  it("goes on in the log's order, in whatever order things come back", async () => {
    const { passed, take, done } = recovery(3, () => 4);
    for (const sequence of [7, 5, 9, 6]) take(sequence);
    await done;
    expect(passed).toEqual([5, 6, 7, 9]);
    take(10);
    expect(passed.at(-1)).toBe(10);
  });

  it("waits for nothing where nothing was under way", () => {
    const { passed, take } = recovery(0, () => 0);
    take(1);
    expect(passed).toEqual([1]);
  });

  it("does not wait for what the worker before has settled meanwhile", async () => {
    let unacknowledged = 2;
    const { passed, take } = recovery(2, () => unacknowledged);
    take(4);
    expect(passed).toEqual([]);
    unacknowledged = 1;
    await eventually(() => {
      expect(passed).toEqual([4]);
    });
  });

  it("waits no longer than things can take to come back", async () => {
    const { passed, take } = recovery(2, () => 2, 30);
    take(4);
    await eventually(() => {
      expect(passed).toEqual([4]);
    });
  });
});

describe("deliveries that are held", () => {
  it("are settled once, and told to be alive until then", async () => {
    const said: string[] = [];
    const held = createHeldDeliveries(5);
    const kept = held.keep(delivery(1, said));
    await eventually(() => said.includes("working 1"));
    kept.ack();
    kept.nak();
    expect(said.filter((word) => !word.startsWith("working"))).toEqual(["ack 1"]);
    expect(held.size).toBe(0);
    held.close();
  });

  it("are handed back in order", () => {
    const said: string[] = [];
    const held = createHeldDeliveries(1_000);
    for (const sequence of [3, 1, 2]) held.keep(delivery(sequence, said));
    held.handBack();
    expect(said).toEqual(["nak 1", "nak 2", "nak 3"]);
    held.close();
  });
});
