import type { InteractionEvent } from "@interlude/contract";
import type { StoredEntry } from "@interlude/event-log";
import { describe, expect, it } from "vitest";
import { judgeHistory } from "./judge-history.ts";

const BEFORE_MS = 1_000;
const belonging = { interaction_id: "q", group_id: "q", asker: "flow", mode: "sync", at: "" } as const;
const ASKED: InteractionEvent = {
  type: "asked",
  data: {
    ...{ interaction_id: "q", asker: "flow", group_id: "q", question: "?", answer_format: "text" },
    ...{
      format_payload: {},
      mode: "sync",
      created_at: "",
      timeout_at: "",
      sensitive: false,
      fingerprint: "",
    },
  },
};
const ENDED: InteractionEvent = { type: "expired", data: belonging };

function history(...events: [InteractionEvent | { unknownType: string }, number][]): StoredEntry[] {
  return events.map(([entry, storedAtMs], index) => ({
    ...{ sequence: index + 1, storedAtMs, eventId: String(index), entry },
    address: { channel: "inbox", partition: 0, id: "q" },
  }));
}

describe("retention takes", () => {
  it.each([
    ["a question that ended before", history([ASKED, 1], [ENDED, 999]), 2],
    ["the end of one that is not there any more", history([ENDED, 999]), 1],
    ["the end of one whose id was asked again", history([ENDED, 999], [ASKED, 5_000]), 1],
    ["both when that has ended too", history([ENDED, 1], [ASKED, 2], [ENDED, 999]), 3],
  ])("%s", (_, entries, upTo) => {
    expect(judgeHistory(entries, BEFORE_MS)).toMatchObject({ isOver: true, upTo });
  });
});

describe("retention leaves", () => {
  it.each([
    ["an open question, however old", history([ASKED, 1]), "open"],
    ["nothing at all", [], "open"],
    ["one that ended later", history([ASKED, 1], [ENDED, 1_000]), "young"],
    [
      "one with an event that a newer version wrote",
      history([ASKED, 1], [{ unknownType: "x" }, 2], [ENDED, 3]),
      "unknown",
    ],
  ])("%s", (_, entries, because) => {
    expect(judgeHistory(entries, BEFORE_MS)).toEqual({ isOver: false, because });
  });
});
