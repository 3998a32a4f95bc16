import { describe, expect, it } from "vitest";
import { askedEvent, endEvent, NOW_MS, sequenced } from "../test/events.ts";
import { foldBatch } from "./fold-batch.ts";

describe("folding a batch", () => {
  it("makes one row an id, ended at once when its end is in the batch", () => {
    const batch = foldBatch(sequenced([askedEvent("one"), askedEvent("two"), endEvent("answered", "one")]));
    expect(batch.asked.map((row) => [row.id, row.sequence, row.ending?.status])).toEqual([
      ["one", 1, "answered"],
      ["two", 2, undefined],
    ]);
    expect(batch).toMatchObject({ sequence: 3, events: 3, skipped: 0, ended: [] });
  });

  it("keeps the first end, of this batch's questions and of earlier ones", () => {
    const ends = [endEvent("cancelled", "one"), endEvent("answered", "one")];
    expect(foldBatch(sequenced([askedEvent("one"), ...ends])).asked[0]?.ending).toMatchObject({
      status: "cancelled",
    });
    expect(foldBatch(sequenced(ends, 10)).ended).toMatchObject([{ status: "cancelled", sequence: 11 }]);
  });

  it("takes a question asked again under a purged id for a new one", () => {
    const again = sequenced([endEvent("answered", "one"), askedEvent("one", { question: "Again?" })]);
    const batch = foldBatch(again);
    expect(batch.ended).toEqual([]);
    expect(batch.asked).toMatchObject([{ sequence: 2, ending: undefined }]);
  });

  it("counts what it does not know, and includes its position", () => {
    const batch = foldBatch(
      sequenced([askedEvent("one"), { unknownType: "interlude.interaction.moved.v1" }]),
    );
    expect(batch).toMatchObject({ skipped: 1, sequence: 2 });
  });

  it("keeps moments in milliseconds, and survives one that is none", () => {
    const [row] = foldBatch(sequenced([askedEvent("one")])).asked;
    expect(row?.deadlineMs).toBe(NOW_MS + 3_600_000);
    expect(foldBatch(sequenced([askedEvent("one", { timeout_at: "soon" })])).asked[0]?.deadlineMs).toBe(0);
  });
});
