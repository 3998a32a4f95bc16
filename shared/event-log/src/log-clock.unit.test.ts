import { describe, expect, it } from "vitest";
import { LogClock } from "./log-clock.ts";

function clock() {
  let localMs = 1_000;
  const jumps: number[] = [];
  const log = new LogClock(
    () => localMs,
    (jumpMs) => jumps.push(jumpMs),
  );
  /** A reading that says the server is this far ahead, by an answer that took `tookMs`. */
  const read = (aheadMs: number, tookMs: number) => {
    log.read({ serverMs: localMs + aheadMs + tookMs / 2, beforeMs: localMs, afterMs: localMs + tookMs });
  };
  return { log, read, jumps, pass: (ms: number) => (localMs += ms) };
}

describe("the log's clock", () => {
  it("is unknown before the first reading", () => {
    const { log } = clock();
    expect(log.isKnown).toBe(false);
    expect(() => log.nowMs()).toThrow();
  });

  it("is set right by a quick answer after a slow one", () => {
    const { log, read } = clock();
    read(40, 200);
    expect(log.skewMs).toBe(40);
    read(0, 2);
    expect(log.skewMs).toBe(0);
  });

  it("is not moved by a slow answer that agrees within its error", () => {
    const { log, read } = clock();
    read(0, 2);
    read(90, 200);
    expect(log.skewMs).toBe(0);
    read(110, 200);
    expect(log.skewMs).toBe(110);
  });

  it("approaches a jump of over two seconds at 50 ms a second, and tells it", () => {
    const { log, read, jumps, pass } = clock();
    read(0, 2);
    read(10_000, 2);
    expect(jumps).toEqual([10_000]);
    expect(log.nowMs()).toBe(1_000);
    pass(2_000);
    expect(log.nowMs()).toBe(3_100);
    read(10_000, 2);
    pass(1_000_000);
    expect(log.nowMs()).toBe(1_013_000);
  });
});
