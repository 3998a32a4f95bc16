import { describe, expect, it } from "vitest";
import { asked, ended, interactionEntries, NOW_MS, parkEvents, runEntries } from "../test/events.ts";
import { foldRunBatch, type RunModelEntry } from "./fold-run-batch.ts";

const START = { interactions: 0, runs: 0 };
const park = parkEvents("p-1");
const second = (count: number) => NOW_MS + count * 1_000;

describe("folding questions", () => {
  it("makes one row of an async question, with its first end, and passes over the others", () => {
    const sync = { ...ended("other", "answered", "sync") };
    const batch = foldRunBatch(
      START,
      interactionEntries([asked("one"), ended("one", "expired"), ended("one"), sync, asked("two")]),
    );
    expect(batch.asked).toEqual([
      { id: "one", driver: "bot", deadlineMs: NOW_MS + 3_600_000, sequence: 2, end: "expired" },
      { id: "two", driver: "bot", deadlineMs: NOW_MS + 3_600_000, sequence: 5, end: undefined },
    ]);
    expect(batch).toMatchObject({ ended: [], events: 5, skipped: 0, to: { interactions: 5, runs: 0 } });
  });

  it("keeps the first end of an earlier question", () => {
    const batch = foldRunBatch(START, interactionEntries([ended("one", "cancelled"), ended("one")]));
    expect(batch.ended).toEqual([{ id: "one", sequence: 1, status: "cancelled" }]);
  });

  it("takes one asked again under a purged id for another question, and open", () => {
    const batch = foldRunBatch(START, interactionEntries([asked("one"), ended("one"), asked("one")]));
    expect(batch.asked).toMatchObject([{ id: "one", sequence: 3, end: undefined }]);
    expect(foldRunBatch(START, interactionEntries([ended("one"), asked("one")])).ended).toEqual([]);
  });
});

describe("folding parks", () => {
  it("makes one row a park, each of its questions once", () => {
    const batch = foldRunBatch(START, runEntries([park.parked(["b", "a", "b"]), park.parked(["c"])]));
    expect(batch.parked).toEqual([
      {
        ...{ driver: "bot", runToken: "run", parkToken: "t_p-1", runId: "run", parkId: "p-1", owner: "flow" },
        ...{ sequence: 1, parkedAtMs: NOW_MS, interactionIds: ["b", "a"] },
      },
    ]);
  });

  it("comes to what the last of a park's events leave", () => {
    const change = (...events: Parameters<typeof runEntries>[0]) =>
      foldRunBatch(START, runEntries(events)).changed[0]?.change;
    expect(change(park.requested())).toMatchObject({
      ...{ state: "resuming", availableAtMs: second(1), claimId: null, attempts: null, reason: undefined },
    });
    const claimed = [park.requested(), park.claimed("c-1", 1, 30)];
    expect(change(...claimed)).toMatchObject({
      ...{ state: "resuming", availableAtMs: second(30), claimId: "c-1", attempts: 1, fencing: 2 },
    });
    expect(change(...claimed, park.renewed("c-1", 2, 60))).toMatchObject({
      ...{ availableAtMs: second(60), claimId: "c-1", attempts: 1, fencing: 2, sequence: 3, atMs: second(3) },
    });
    const gaveUp = [...claimed, park.attemptFailed("c-1", 2, 1, 5)];
    expect(change(...gaveUp)).toMatchObject({
      ...{ state: "resuming", availableAtMs: second(5), claimId: null, attempts: 1, reason: "it broke" },
    });
    const again = [...gaveUp, park.claimed("c-2", 2, 90)];
    expect(change(...again)).toMatchObject({ attempts: 2, fencing: 4, reason: "it broke" });
    expect(change(...again, park.resumed("c-2", 4))).toMatchObject({
      ...{ state: "resumed", availableAtMs: null, claimId: null, attempts: 2, reason: null },
    });
    const failed = [...again, park.failed(2)];
    expect(change(...failed)).toMatchObject({
      ...{ state: "failed", availableAtMs: null, claimId: null, attempts: 2, fencing: 4, reason: "used up" },
    });
    expect(change(...failed, park.replayed())).toMatchObject({
      ...{ state: "resuming", availableAtMs: second(7), attempts: 0, reason: null },
    });
  });

  it("keeps the events of parks apart, of one run as of one name in two runs", () => {
    const others = [
      parkEvents("p-2"),
      parkEvents("p-1", { run: "run-2" }),
      parkEvents("p-1", { driver: "b" }),
    ];
    const batch = foldRunBatch(START, runEntries([park, ...others].map((each) => each.requested())));
    expect(batch.changed.map(({ change }) => change.sequence)).toEqual([1, 2, 3, 4]);
  });

  it("survives moments that are none, and the character that cannot be stored", () => {
    const { address, entry } = parkEvents("p-1", { owner: "o\u0000" }).parked(["a"]);
    const odd: RunModelEntry[] = [
      {
        stream: "runs",
        sequence: 1,
        address,
        entry: { ...entry, data: { ...entry.data, at: "soon" } } as typeof entry,
      },
    ];
    expect(foldRunBatch(START, odd).parked).toMatchObject([{ parkedAtMs: 0, owner: "o\ufffd" }]);
  });
});

describe("folding positions", () => {
  it("leaves out what has been folded before, of either stream", () => {
    const entries = [
      ...interactionEntries([asked("one"), asked("two")]),
      ...runEntries([park.parked(["one"])]),
    ];
    const batch = foldRunBatch({ interactions: 1, runs: 1 }, [...entries, ...entries]);
    expect(batch.asked.map(({ id }) => id)).toEqual(["two"]);
    expect(batch).toMatchObject({
      ...{ parked: [], events: 1, from: { interactions: 1, runs: 1 }, to: { interactions: 2, runs: 1 } },
    });
  });

  it("counts what it does not know, passes over a driver, and includes both", () => {
    const batch = foldRunBatch(START, [
      { stream: "interactions", sequence: 4, entry: { unknownType: "interlude.interaction.moved.v1" } },
      { stream: "runs", sequence: 7, entry: { unknownType: "interlude.run.moved.v1" } },
      { stream: "runs", sequence: 8, entry: { type: "registered" } },
    ]);
    expect(batch).toMatchObject({ skipped: 2, events: 3, to: { interactions: 4, runs: 8 }, changed: [] });
  });

  it("stands still without events", () => {
    expect(foldRunBatch({ interactions: 3, runs: 5 }, [])).toMatchObject({
      ...{ events: 0, to: { interactions: 3, runs: 5 } },
    });
  });
});
