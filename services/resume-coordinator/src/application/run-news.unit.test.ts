import type { RunEvent } from "@interlude/contract";
import type { RunForwardEntry } from "@interlude/event-log";
import { eventually } from "@interlude/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followNews } from "./run-news.ts";

const at = "2031-01-01T00:00:00.000Z";

function event(sequence: number, type: "renewed" | "resume_requested", driver: string): RunForwardEntry {
  const belonging = { driver, run_id: "r", park_id: "p", owner: `${driver}'s`, at };
  const entry: RunEvent =
    type === "renewed"
      ? { type, data: { ...belonging, claim_id: "c", fencing: 1, lease_until: at } }
      : { type, data: belonging };
  return { sequence, address: { driver, runToken: "r", parkToken: "p" }, entry };
}

describe("the news of runs", () => {
  let stop: AbortController;
  let following: Promise<void>;
  let told: { drivers: string[]; owners: string[]; conversations: string[]; sequence: number }[];
  let requested: { driver: string; owner: string }[];
  let registered: string[];
  let readFrom: number[];
  let model: () => Promise<boolean>;
  /** Each reading's entries; after them it ends, as a lost connection does. */
  let readings: RunForwardEntry[][];

  beforeEach(() => {
    stop = new AbortController();
    [told, registered, requested, readFrom, readings] = [[], [], [], [], []];
    model = () => Promise.resolve(true);
  });
  afterEach(async () => {
    stop.abort();
    await following;
  });

  function follow(after: number): void {
    following = followNews(
      {
        async *read(fromSequence, signal) {
          readFrom.push(fromSequence);
          const entries = readings.shift();
          yield* entries ?? [];
          if (entries !== undefined) return;
          await new Promise((resolve) => {
            signal.addEventListener("abort", resolve, { once: true });
          });
        },
        waitForModel: () => model(),
        onRequested: ({ driver, owner }) => requested.push({ driver, owner }),
        onProjected: ({ drivers, owners, conversations }, sequence) => {
          const sets = { drivers: [...drivers], owners: [...owners], conversations: [...conversations] };
          told.push({ ...sets, sequence });
        },
        onRegistered: ({ driver }) => registered.push(driver),
      },
      after,
      stop.signal,
    );
  }

  it("tells of drivers once the model has what happened to them; a renewed lease is no news", async () => {
    const data = { driver: "new", owner: "ann", checkpointer: { kind: "postgres" } as const, at };
    readings = [
      [
        event(11, "renewed", "quiet"),
        event(12, "resume_requested", "bot"),
        { sequence: 13, entry: { type: "registered", data } },
        { sequence: 14, entry: { unknownType: "of a newer process" } },
      ],
    ];
    follow(10);
    await eventually(() => told.length > 0 && registered.length > 0);
    expect(told).toMatchObject([{ drivers: ["bot"], owners: ["bot's"] }]);
    expect(told[0]?.sequence).toBeGreaterThanOrEqual(12);
    expect([registered, readFrom[0]]).toEqual([["new"], 11]);
    expect(requested).toEqual([{ driver: "bot", owner: "bot's" }]);
  });

  it("tells which conversations had some of it, for the drivers that share them", async () => {
    const runToken = `c_${"x".repeat(43)}`;
    const other = event(11, "resume_requested", "one");
    readings = [[{ ...other, address: { driver: "one", runToken, parkToken: "p" } } as RunForwardEntry]];
    readings[0]?.push(event(12, "resume_requested", "two"));
    follow(10);
    await eventually(() => told.length > 0);
    expect(told.flatMap(({ conversations }) => conversations)).toEqual([runToken]);
  });

  it("goes on behind what it has read, whatever became of the connection", async () => {
    readings = [[event(11, "resume_requested", "one")], [event(15, "resume_requested", "two")]];
    follow(10);
    await eventually(() => told.length === 2);
    expect(readFrom.slice(0, 2)).toEqual([11, 12]);
    expect(told.map(({ sequence }) => sequence)).toEqual([11, 15]);
  });

  it("keeps what it could not tell while the model was away or behind", async () => {
    let asked = 0;
    model = () => {
      asked += 1;
      if (asked === 1) return Promise.reject(new Error("Postgres is away"));
      return Promise.resolve(asked > 2);
    };
    readings = [[event(11, "resume_requested", "one")], [event(12, "resume_requested", "two")]];
    follow(10);
    await eventually(() => told.length > 0);
    expect(told.flatMap(({ drivers }) => drivers).toSorted()).toEqual(["one", "two"]);
    expect(asked).toBeGreaterThanOrEqual(3);
  });
});
