import { describe, expect, it } from "vitest";
import { createLocalClock } from "./local-clock.ts";

function machine() {
  let wallMs = 1_000_000;
  let steadyMs = 50;
  let uptimeMs = 70_000;
  const clocks = { wallMs: () => wallMs, steadyMs: () => steadyMs, uptimeMs: () => uptimeMs };
  return {
    nowMs: createLocalClock(clocks),
    pass: (ms: number) => {
      wallMs += ms;
      steadyMs += ms;
      uptimeMs += ms;
    },
    setWallBy: (ms: number) => {
      wallMs += ms;
    },
    sleep: (ms: number) => {
      wallMs += ms;
      uptimeMs += ms;
    },
  };
}

describe("local time", () => {
  it("begins as the wall clock stands, and goes on with it", () => {
    const { nowMs, pass } = machine();
    expect(nowMs()).toBe(1_000_000);
    pass(1_234);
    expect(nowMs()).toBe(1_001_234);
  });

  it.each([3_600_000, -3_600_000, 2_500])("is not moved when the wall clock is set by %i ms", (byMs) => {
    const { nowMs, pass, setWallBy } = machine();
    setWallBy(byMs);
    expect(nowMs()).toBe(1_000_000);
    pass(10);
    expect(nowMs()).toBe(1_000_010);
  });

  it("counts the time that the machine slept, whenever the wall clock was set", () => {
    const { nowMs, pass, setWallBy, sleep } = machine();
    setWallBy(-7_000_000);
    expect(nowMs()).toBe(1_000_000);
    sleep(3_600_000);
    expect(nowMs()).toBe(4_600_000);
    pass(5);
    sleep(60_000);
    expect(nowMs()).toBe(4_660_005);
  });

  it("goes on with the machine's own clocks", () => {
    const nowMs = createLocalClock();
    expect(Math.abs(nowMs() - Date.now())).toBeLessThan(50);
  });
});
