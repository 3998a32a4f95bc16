import {
  attemptsOf,
  decideRun,
  evolvePark,
  type KnownPark,
  type Park,
  type RunCommand,
  runStateOf,
  UNPARKED,
} from "@interlude/domain";
import type { Database } from "@interlude/postgres";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { getRun, type ParkRow, rebuild, type RunModelEntry } from "../src/index.ts";
import { NOW_MS } from "./events.ts";
import { openRunModel, project, type RunModel } from "./run-model.ts";

let model: RunModel;
let database: Database;

beforeAll(async () => {
  model = await openRunModel(inject("postgresUrl"));
  database = model.database;
});
afterAll(() => model.close());

const ANY_PARK = { driver: "bot", runId: "run", parkId: "p-1", owner: "flow", interactionIds: ["a"] };

function commandOf(
  type: Exclude<RunCommand["type"], "Park">,
  { park, nowMs, isRetried, index }: { park: Park; nowMs: number; isRetried: boolean; index: number },
): RunCommand {
  const claimId = park.status === "claimed" ? park.claim.claimId : "none";
  switch (type) {
    case "Claim":
      return { type, claimId: `c-${index}`, leaseMs: 30_000, maxAttempts: 3, nowMs };
    case "Renew":
      return { type, claimId, leaseMs: 30_000, nowMs };
    case "Complete":
      return { type, claimId, nowMs };
    case "Fail":
      return { type, claimId, reason: `reason ${index}`, retry: isRetried, maxAttempts: 3, nowMs };
    case "FailForGood":
      return { type, reason: "gone", nowMs };
    case "Replay":
      return { type, by: "root", nowMs };
    case "RequestResume":
      return { type, nowMs };
  }
}

function expectAgreement(row: ParkRow, park: KnownPark): void {
  expect(row).toMatchObject({ state: runStateOf(park), attempts: attemptsOf(park) });
  expect(row.claimId).toBe(park.status === "claimed" ? park.claim.claimId : undefined);
  if ("claim" in park) expect(row.fencing).toBe(park.claim.fencing);
  if (park.status === "claimed") expect(row.availableAtMs).toBe(park.claim.leaseUntilMs);
  if (park.status === "waiting")
    expect(row).toMatchObject({ availableAtMs: park.retryAtMs, reason: park.reason });
  if (park.status === "failed") expect(row.reason).toBe(park.failed.reason);
}

describe("a park's row", () => {
  it("says what the domain says of the park, whatever was decided about it", async () => {
    const step = fc.record({
      type: fc.constantFrom("RequestResume", "Claim", "Renew", "Complete", "Fail", "FailForGood", "Replay"),
      passesMs: fc.constantFrom(0, 500, 3_000, 40_000),
      isRetried: fc.boolean(),
    });
    const address = { driver: "bot", runToken: "run", parkToken: "t" };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.integer({ min: 1, max: 9 }),
        async (steps, cut) => {
          let nowMs = NOW_MS;
          let park: Park = UNPARKED;
          const entries: RunModelEntry[] = [];
          const decideAndStore = (command: RunCommand) => {
            const decision = decideRun(command, { park });
            if (!decision.ok) return;
            for (const event of decision.events) {
              const sequence = entries.length + 1;
              entries.push({ stream: "runs", sequence, address, entry: event });
              park = evolvePark(park, { sequence, event });
            }
          };
          decideAndStore({ type: "Park", ...ANY_PARK, nowMs });
          decideAndStore({ type: "RequestResume", nowMs });
          for (const [index, { type, passesMs, isRetried }] of steps.entries()) {
            nowMs += passesMs;
            decideAndStore(commandOf(type, { park, nowMs, isRetried, index }));
          }
          await rebuild(database);
          await project(database, entries, cut);
          const row = await getRun(database, "bot", "run");
          if (park.status === "unparked" || row === undefined) throw new Error("it was parked");
          expectAgreement(row, park);
        },
      ),
      { numRuns: 40 },
    );
  });
});
