import { expect, it } from "vitest";
import { readRunAddress, runHref } from "./run-address.ts";

it.each(["r-1", "a/b", "50% off?", "#ü 日本", "a%2Fb", "thread:1&2=3"])(
  "the page of the run %j leads back to it",
  (runId) => {
    for (const address of [
      { driver: "bot", runId },
      { driver: "bot", runId, parkId: "p-1" },
    ]) {
      const url = new URL(runHref(address), "http://localhost");
      expect(readRunAddress(url.pathname, url.search)).toEqual(address);
    }
  },
);

it.each(["/", "/runs", "/runs/", "/runs/bot", "/runs/bot/a/b", "/q/a", "/runs/bot/%"])(
  "%s is no page of a run",
  (path) => {
    expect(readRunAddress(path, "")).toBeUndefined();
  },
);
