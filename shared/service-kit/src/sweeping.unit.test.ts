import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { recordingLogger } from "./logger.ts";
import { createSweeping } from "./sweeping.ts";

beforeEach(() => {
  vi.useFakeTimers();
  // Replicas are kept apart by chance; here a sweep comes exactly when it is due.
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("sweeps again after one that failed, and says so", async () => {
  const logger = recordingLogger();
  let sweeps = 0;
  const sweep = () => {
    sweeps += 1;
    return sweeps === 1 ? Promise.reject(new TypeError("away")) : Promise.resolve();
  };
  const sweeping = createSweeping({ what: "media", everyMs: 100, logger, sweep });
  sweeping.start();
  sweeping.start();
  await vi.advanceTimersByTimeAsync(210);
  expect(sweeps).toBe(2);
  expect(logger.lines.map(({ message }) => message)).toEqual([
    "the sweep of media ended early; the next one begins anew",
  ]);
  await sweeping.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sweeps).toBe(2);
});

it("waits at the stop for a sweep that is under way, which is told to stop", async () => {
  let finish: () => void = () => undefined;
  let shouldStop: () => boolean = () => false;
  const sweeping = createSweeping({
    what: "media",
    everyMs: 100,
    logger: recordingLogger(),
    sweep: (asked) => {
      shouldStop = asked;
      return new Promise((resolve) => (finish = resolve));
    },
  });
  sweeping.start();
  await vi.advanceTimersByTimeAsync(130);
  let isStopped = false;
  const stopping = sweeping.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(10);
  expect([shouldStop(), isStopped]).toEqual([true, false]);
  finish();
  await stopping;
  expect(isStopped).toBe(true);
});
