import type { RunEvent } from "@interlude/contract";
import type { StoredRunEntry } from "@interlude/event-log";
import { expect, it } from "vitest";
import { runHistory } from "./run-history.ts";

const belonging = { driver: "bot", run_id: "r", park_id: "p", owner: "ann", at: "2030-01-01T00:00:00.000Z" };
const claimed: RunEvent = {
  type: "claimed",
  data: { ...belonging, claim_id: "c", lease_until: "", attempt: 2 },
};

function stored(...entries: readonly StoredRunEntry["entry"][]): StoredRunEntry[] {
  const address = { driver: "bot", runToken: "r", parkToken: "p" };
  return entries.map((entry, index) => ({ sequence: index + 1, storedAtMs: 0, eventId: "", address, entry }));
}

it("a run's history leaves out renewed leases and what only a newer process can read", () => {
  const renewed: RunEvent = {
    type: "renewed",
    data: { ...belonging, claim_id: "c", fencing: 1, lease_until: "" },
  };
  const { items, truncated } = runHistory(stored(claimed, renewed, { unknownType: "interlude.run.new.v1" }));
  expect(items).toEqual([{ sequence: 1, type: "claimed", at: belonging.at, park_id: "p", attempt: 2 }]);
  expect(truncated).toBe(false);
});

it("a run's history never holds its result", () => {
  const data = { ...belonging, claim_id: "c", fencing: 1, result: "a secret" };
  expect(JSON.stringify(runHistory(stored({ type: "resumed", data })))).not.toContain("secret");
});

it("a very long history is told by its end, and says so", () => {
  const { items, truncated } = runHistory(stored(...Array.from({ length: 201 }, () => claimed)));
  expect([items.length, items[0]?.sequence, truncated]).toEqual([200, 2, true]);
});
