import { describe, expect, it } from "vitest";
import { eventually, manualClock } from "./index.ts";

describe("eventually", () => {
  it("asks until the check throws no more, and returns its answer", async () => {
    let asked = 0;
    const answer = await eventually(
      () => {
        asked += 1;
        expect(asked).toBeGreaterThan(2);
        return "there";
      },
      { everyMs: 1 },
    );
    expect([answer, asked]).toEqual(["there", 3]);
  });

  it("gives the check's last complaint when the time is over", async () => {
    const never = (): void => {
      expect("cold").toBe("warm");
    };
    await expect(eventually(never, { withinMs: 20, everyMs: 1 })).rejects.toThrow(/warm/);
    await expect(eventually(() => false, { withinMs: 20, everyMs: 1 })).rejects.toThrow(
      /did not hold within 20 ms/,
    );
  });
});

describe("the manual clock", () => {
  it("moves only when told", () => {
    const clock = manualClock(1_000);
    clock.advance(500);
    expect(clock.nowMs()).toBe(1_500);
    clock.set(10);
    expect(clock.nowMs()).toBe(10);
  });
});
