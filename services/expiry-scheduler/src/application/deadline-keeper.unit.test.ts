import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeadlineKeeper } from "./deadline-keeper.ts";

describe("a held deadline", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is due at its moment and not before, even when the timer fires early", () => {
    let nowMs = 0;
    const keeper = createDeadlineKeeper(() => nowMs);
    const onDue = vi.fn();
    keeper.hold("q-1", 100, onDue);
    nowMs = 99.7;
    vi.advanceTimersByTime(100);
    expect(onDue).not.toHaveBeenCalled();
    nowMs = 101;
    vi.advanceTimersByTime(5);
    expect(onDue).toHaveBeenCalledTimes(1);
    expect(keeper.held).toBe(0);
  });

  it("A-TIME-1: 60 years away does not fire at once", () => {
    const keeper = createDeadlineKeeper(() => 0);
    const onDue = vi.fn();
    keeper.hold("q-1", 60 * 31_536_000_000, onDue);
    vi.advanceTimersByTime(10_000);
    expect(onDue).not.toHaveBeenCalled();
    keeper.close();
  });

  it("that was dropped never fires", () => {
    const keeper = createDeadlineKeeper(() => Date.now());
    const onDue = vi.fn();
    keeper.hold("q-1", 10, onDue);
    expect(keeper.drop("q-1")).toBe(true);
    expect(keeper.drop("q-1")).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(onDue).not.toHaveBeenCalled();
  });
});
