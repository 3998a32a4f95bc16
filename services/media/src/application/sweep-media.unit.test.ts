import type { MediaCustody } from "@interlude/event-log";
import { describe, expect, it } from "vitest";
import { sweepMedia } from "./sweep-media.ts";

const NOW_MS = 1_000_000;

type Asked = { storedBefore: number[]; isClaimed: [string, number][]; discarded: string[] };

/** A custody that holds `ids` and answers by `claim`; what it was asked is kept. */
function custodyOf(
  ids: readonly string[],
  claim: (id: string) => Promise<boolean>,
): MediaCustody & { asked: Asked } {
  const asked: Asked = { storedBefore: [], isClaimed: [], discarded: [] };
  return {
    asked,
    async *storedBefore(atMs) {
      asked.storedBefore.push(atMs);
      for (const id of ids) yield await Promise.resolve(id);
    },
    isClaimed(id, lapsedBeforeMs) {
      asked.isClaimed.push([id, lapsedBeforeMs]);
      return claim(id);
    },
    discard(id) {
      asked.discarded.push(id);
      return Promise.resolve(id !== "just-claimed");
    },
    claimedName: () => Promise.resolve(undefined),
  };
}

function sweep(custody: MediaCustody, shouldStop = () => false) {
  const nowMs = () => NOW_MS;
  return sweepMedia({ custody, nowMs, unclaimedLifetimeMs: 86_400, claimGraceMs: 3_600, shouldStop });
}

describe("a sweep", () => {
  it("removes what is old and shown by nothing, and only that", async () => {
    const custody = custodyOf(["old", "shown", "just-claimed"], (id) => Promise.resolve(id === "shown"));
    expect(await sweep(custody)).toEqual({ looked: 3, discarded: 1 });
    expect(custody.asked).toEqual({
      storedBefore: [NOW_MS - 86_400],
      isClaimed: [
        ["old", NOW_MS - 3_600],
        ["shown", NOW_MS - 3_600],
        ["just-claimed", NOW_MS - 3_600],
      ],
      discarded: ["old", "just-claimed"],
    });
  });

  it("ends where it cannot know whether something is shown, and removes nothing from there on", async () => {
    const custody = custodyOf(["unknowable", "old"], (id) =>
      id === "unknowable" ? Promise.reject(new Error("the log is away")) : Promise.resolve(false),
    );
    await expect(sweep(custody)).rejects.toThrow("the log is away");
    expect(custody.asked.discarded).toEqual([]);
  });

  it("ends when the service stops", async () => {
    const custody = custodyOf(["old", "older"], () => Promise.resolve(false));
    expect(await sweep(custody, () => custody.asked.discarded.length > 0)).toEqual({
      looked: 1,
      discarded: 1,
    });
  });
});
