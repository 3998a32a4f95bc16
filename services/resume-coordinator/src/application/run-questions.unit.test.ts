import type { AskedData } from "@interlude/contract";
import { expect, it } from "vitest";
import { runQuestion } from "./run-questions.ts";

const timeout_at = "2030-01-01T01:00:00.000Z";
const asked: AskedData = {
  ...{ interaction_id: "q-1", asker: "ann", group_id: "g", question: "Go on?", answer_format: "text" },
  ...{ format_payload: {}, mode: "async", created_at: "2030-01-01T00:00:00.000Z", timeout_at },
  ...{ sensitive: false, fingerprint: "f" },
};

it("a question past its deadline is shown as expired, whether or not that is stored yet", () => {
  const at = (nowMs: number) => runQuestion("q-1", { status: "pending", asked }, nowMs).status;
  expect(at(Date.parse(timeout_at) - 1)).toBe("pending");
  expect(at(Date.parse(timeout_at))).toBe("expired");
});

it("a question that is not in the log any more is shown as purged", () => {
  expect(runQuestion("q-1", { status: "unasked" }, 0)).toEqual({ interaction_id: "q-1", status: "purged" });
});
