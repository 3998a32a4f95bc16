import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { openTestLog } from "./open-test-log.ts";

let test: Awaited<ReturnType<typeof openTestLog>>;
beforeAll(async () => {
  test = await openTestLog();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => test.close());

describe("the log's clock of a process", () => {
  it.each([3_600_000, -3_600_000])("is not moved when its machine's clock is set by %i ms", (byMs) => {
    const before = test.log.clock.nowMs();
    const trueNow = Date.now.bind(Date);
    vi.spyOn(Date, "now").mockImplementation(() => trueNow() + byMs);
    expect(Math.abs(test.log.clock.nowMs() - before)).toBeLessThan(1_000);
    expect(Math.abs(test.log.clock.skewMs + byMs)).toBeLessThan(1_000);
  });
});
