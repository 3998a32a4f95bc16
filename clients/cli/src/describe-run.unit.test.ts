import { describe, expect, it } from "vitest";
import { runHistoryLine, runLine, runQuestionLine, runText } from "./describe-run.ts";

const EVIL = "\u001b]0;owned\u0007Pay\u202e?\rstate: resumed";
const NOW_MS = Date.parse("2030-01-01T02:00:00.000Z");
const run = {
  driver: "bot",
  runId: "trip-7",
  parkId: "p",
  state: "failed",
  remaining: 0,
  attempts: 3,
  total: 3,
  updatedAt: "2030-01-01T01:00:00.000Z",
} as const;

describe("a run on a terminal", () => {
  it("is one line with its whole name, of which only the reason is cut", () => {
    const line = runLine({ ...run, reason: "no network ".repeat(20) }, 80, NOW_MS);
    expect(line).toMatch(/^failed +3 of 3 ended +1 h ago +bot trip-7 {2}no network .*…$/);
    expect(line.length).toBeLessThanOrEqual(80);
    expect(runLine({ ...run, runId: "x".repeat(200) }, 80, NOW_MS)).toContain("x".repeat(200));
  });

  it("says how many are open where a service does not tell of how many", () => {
    expect(runLine({ ...run, total: undefined, remaining: 2 }, 80, NOW_MS)).toContain("2 open");
  });

  it("cannot be made to look like another by what others wrote", () => {
    const at = "2030-01-01T00:00:00.000Z";
    const texts = [
      runLine({ ...run, runId: EVIL, reason: EVIL }, 200, NOW_MS),
      runQuestionLine({ interactionId: "q-1", status: "failed", question: EVIL, reason: EVIL }, 200),
      runQuestionLine({ interactionId: "q-1", status: "answered", answeredBy: EVIL }, 200),
      runHistoryLine({ sequence: 1, type: EVIL, at, parkId: "p", reason: EVIL, by: EVIL }),
    ];
    for (const text of texts) {
      // eslint-disable-next-line no-control-regex -- the very characters that must not come through
      expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(text).toContain("Pay?");
    }
    const lines = runText({ ...run, reason: EVIL }).split("\n");
    expect(lines.filter((line) => line.startsWith("state:"))).toEqual(["state: failed"]);
  });
});
