import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { abortAfter } from "./abort-after.ts";

/** The collector, asked for by hand: what it would take at any moment is taken now. */
function collect(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
}

describe("a signal with a deadline", () => {
  it("fires though memory is collected while it waits", async () => {
    const source = new AbortController();
    const collecting = setInterval(collect, 5);
    try {
      const ends = Array.from({ length: 10 }, () => once(abortAfter(100, source.signal), "abort"));
      await Promise.all(ends);
    } finally {
      clearInterval(collecting);
    }
  });

  it("says that it was the time", async () => {
    const signal = abortAfter(1, new AbortController().signal);
    await once(signal, "abort");
    expect(signal.reason).toMatchObject({ name: "TimeoutError" });
  });

  it("ends with its source, for the source's reason", () => {
    const source = new AbortController();
    const signal = abortAfter(60_000, source.signal);
    source.abort("stopping");
    expect(signal.reason).toBe("stopping");
    expect(abortAfter(60_000, source.signal).aborted).toBe(true);
  });
});
