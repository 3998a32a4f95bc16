import { InterludeError, type RunQuery, type RunState, type RunStatus } from "@interlude/sdk";
import { expect, it } from "vitest";
import { parkedRuns } from "./parked-runs.ts";

const notFound = () => new InterludeError({ code: "not_found", detail: "There is no such run." });

function runOf(runId: string, state: RunState): RunStatus {
  return { driver: "d", runId, parkId: "p", state, remaining: 1, attempts: 0 };
}

/** A service with these runs, two to a page. */
function serviceWith(runs: RunStatus[], onList: () => void = () => undefined) {
  return {
    listRuns: ({ state, driver, cursor }: RunQuery = {}) => {
      const found = runs.filter((run) => run.state === state && run.driver === driver);
      const from = Number(cursor ?? 0);
      onList();
      const nextCursor = from + 2 < found.length ? String(from + 2) : undefined;
      return Promise.resolve({ items: found.slice(from, from + 2), nextCursor });
    },
    getRun: () => Promise.reject(notFound()),
  };
}

it("knows every run that may still go on, on however many pages, and none that is over", async () => {
  const parked = ["a", "b", "c", "d", "e"].map((id) => runOf(id, "parked"));
  const service = serviceWith([
    ...parked,
    ...[runOf("f", "resuming"), runOf("g", "failed"), runOf("h", "resumed")],
    { ...runOf("i", "parked"), driver: "another" },
  ]);
  expect([...(await parkedRuns(service, "d"))].sort()).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
});

it.each<[RunState, RunState]>([
  ["parked", "resuming"],
  ["resuming", "failed"],
  ["failed", "resuming"],
])("misses none that goes from %s to %s while it looks, whenever", async (before, after) => {
  for (let moment = 1; moment <= 4; moment += 1) {
    const runs = [runOf("r", before)];
    let lists = 0;
    const service = serviceWith(runs, () => {
      lists += 1;
      if (lists === moment) runs[0] = runOf("r", after);
    });
    expect(await parkedRuns(service, "d")).toEqual(new Set(["r"]));
  }
});

it("says that it cannot know when the service does not, before or after its lists", async () => {
  const behind = new InterludeError({ code: "unavailable", detail: "behind" });
  for (const failing of [1, 2]) {
    let looks = 0;
    const service = {
      ...serviceWith([]),
      getRun: () => Promise.reject((looks += 1) === failing ? behind : notFound()),
    };
    await expect(parkedRuns(service, "d")).rejects.toBe(behind);
  }
  const away = { ...serviceWith([]), listRuns: () => Promise.reject(behind) };
  await expect(parkedRuns(away, "d")).rejects.toBe(behind);
});
