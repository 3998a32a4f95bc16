import { describe, expect, it } from "vitest";
import {
  DRIVER_REGISTERED,
  parseDriverRegistered,
  parseRunEvent,
  runCeType,
  type RunEvent,
} from "./run-events.ts";
import { driverView } from "./run-views.ts";

const belonging = {
  driver: "bot",
  run_id: "run 1",
  park_id: "p_1",
  owner: "ann",
  at: "2026-01-01T00:00:00.000Z",
};
const claim = { claim_id: "c-1", fencing: 7 };
const later = "2026-01-01T00:01:00.000Z";

const EVENTS: RunEvent[] = [
  { type: "parked", data: { ...belonging, interaction_ids: ["question-1"], from_claim: "c-0" } },
  { type: "resume_requested", data: belonging },
  { type: "claimed", data: { ...belonging, claim_id: "c-1", lease_until: later, attempt: 1, key: "hash" } },
  { type: "renewed", data: { ...belonging, ...claim, lease_until: later } },
  {
    type: "attempt_failed",
    data: { ...belonging, ...claim, attempt: 1, reason: "no network", retry_at: later },
  },
  { type: "resumed", data: { ...belonging, ...claim, result: { total: 3 }, parked: false } },
  { type: "failed", data: { ...belonging, reason: "gone", attempt: 3, claim_id: "c-1" } },
  { type: "replayed", data: { ...belonging, by: "ann" } },
];

describe("the events of runs", () => {
  it.each(EVENTS)("$type reads back as it was stored", (event) => {
    const stored: unknown = JSON.parse(JSON.stringify(event.data));
    expect(parseRunEvent(runCeType(event.type), stored)).toEqual(event);
  });

  it("of a type or version not known are told from broken ones", () => {
    expect(parseRunEvent("interlude.run.claimed.v2", {})).toBeUndefined();
    expect(parseRunEvent("interlude.interaction.asked.v1", {})).toBeUndefined();
    expect(parseDriverRegistered("interlude.driver.retired.v1", {})).toBeUndefined();
    expect(() => parseRunEvent("interlude.run.claimed.v1", {})).toThrow();
  });

  it("a driver is shown as it was registered, without its owner", () => {
    const registered = {
      driver: "bot",
      owner: "ann",
      checkpointer: { kind: "postgres", retention_seconds: 60 },
      at: later,
    };
    const parsed = parseDriverRegistered(DRIVER_REGISTERED, registered);
    expect(parsed).toEqual(registered);
    expect(parsed && driverView(parsed)).toEqual({
      name: "bot",
      checkpointer: { kind: "postgres", retention_seconds: 60 },
    });
  });
});
