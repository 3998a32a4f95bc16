import { describe, expect, it } from "vitest";
import {
  driverSubject,
  isParkAddress,
  parkAddress,
  parkFilter,
  parseRunSubject,
  runFilter,
  runSubject,
} from "./run-subjects.ts";

const address = parkAddress("bot", "run-1", ["question-2", "question-1"]);

describe("where a park lives", () => {
  it("every event but one is expected to follow everything of its run", () => {
    const { subject, filter } = runSubject("claimed", address);
    expect(subject).toBe(`runs.claimed.bot.run-1.${address.parkToken}`);
    expect(filter).toBe("runs.*.bot.run-1.*");
    expect(filter).toBe(runFilter(address));
  });

  it("a request to resume stands alone in its place", () => {
    const { subject, filter } = runSubject("resume_requested", address);
    expect(filter).toBe(subject);
  });

  it("is the same for a set of questions in any order, and can be read back", () => {
    expect(parkAddress("bot", "run-1", ["question-1", "question-2", "question-1"])).toEqual(address);
    expect(parseRunSubject(runSubject("parked", address).subject)).toEqual({ event: "parked", address });
    expect(parseRunSubject("drivers.registered.bot")).toBeUndefined();
    expect(parseRunSubject("runs.parked.bot.run-1")).toBeUndefined();
    expect(parseRunSubject("runs.parked.bot.run-1.p.q")).toBeUndefined();
  });

  it.each(["tenant:*", ">", "a.b", "日本", "x_forged", "r".repeat(512)])(
    "the run %j is hashed: it can name no other run (A-SUB-2)",
    (runId) => {
      expect(parkAddress("bot", runId, ["q"]).runToken).toMatch(/^x_[A-Za-z0-9_-]{43}$/);
    },
  );

  it.each([{ driver: "*" }, { runToken: ">" }, { parkToken: "a.b" }, { driver: "" }])(
    "%j never becomes part of a subject",
    (change) => {
      const wrong = { ...address, ...change };
      expect(isParkAddress(wrong)).toBe(false);
      expect(() => runSubject("claimed", wrong)).toThrow();
      expect(() => parkFilter(wrong)).toThrow();
    },
  );

  it("a driver's name stands in a subject only as a name", () => {
    expect(driverSubject("bot")).toEqual({ subject: "drivers.registered.bot", filter: "drivers.*.bot" });
    expect(() => driverSubject("*")).toThrow();
  });
});
