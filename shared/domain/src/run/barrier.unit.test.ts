import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parkSet, parkSetId, remainingOf } from "./barrier.ts";

const ids = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1, maxLength: 8 });

describe("the barrier", () => {
  it("a set has one id, in whatever order and however often its questions are named", () => {
    fc.assert(
      fc.property(ids, ids, (one, other) => {
        const same = parkSet(one).join() === parkSet(other).join();
        expect(parkSetId(one) === parkSetId(other)).toBe(same);
        expect(parkSetId(one)).toMatch(/^p_[A-Za-z0-9_-]{40}$/);
      }),
    );
  });

  it("opens when the last question has ended, in whatever order they end", () => {
    fc.assert(
      fc.property(ids, fc.shuffledSubarray(["a", "b", "c", "d", "e"], { minLength: 5 }), (parked, order) => {
        const ended = new Set<string>();
        const remaining = order.map((id) => remainingOf(parked, (each) => ended.add(id).has(each)));
        expect(remaining.at(-1)).toBe(0);
        expect(remaining).toEqual(remaining.toSorted((a, b) => b - a));
        expect(remainingOf(parked, () => false)).toBe(new Set(parked).size);
      }),
    );
  });
});
