import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ClaimEnd } from "./own-claim.ts";
import { pushOutcome, type PushReply } from "./push-outcome.ts";
import { pushSignature } from "./push-signature.ts";

const answered = (status: number, body = ""): PushReply => ({ kind: "answered", status, body });
const again = (pattern: RegExp) => ({
  type: "Fail",
  reason: expect.stringMatching(pattern) as string,
  retry: true,
});

describe("what a driver answers to its continuation", () => {
  it.each<[string, PushReply, ClaimEnd | object]>([
    ["JSON is the result", answered(200, '{"done":true}'), { type: "Complete", result: { done: true } }],
    ["so is null", answered(200, "null"), { type: "Complete", result: null }],
    ["a text is itself", answered(201, "fine"), { type: "Complete", result: "fine" }],
    ["nothing is no result", answered(204), { type: "Complete" }],
    ["more than is kept completes without", { kind: "oversized", status: 200 }, { type: "Complete" }],
    [
      "a conflict is final",
      answered(409, "{}"),
      { type: "Fail", reason: "the driver answered 409", retry: false },
    ],
    ["so is gone", answered(410), { type: "Fail", reason: "the driver answered 410", retry: false }],
    ["a redirect is not followed", answered(307), again(/307.*not followed/)],
    ["a refusal may be mended", answered(403), again(/403/)],
    ["so may an error, however much it says", { kind: "oversized", status: 500 }, again(/500/)],
    ["nobody there", { kind: "unreachable", reason: "ECONNREFUSED" }, again(/ECONNREFUSED/)],
  ])("%s", (_, reply, end) => {
    expect(pushOutcome(reply)).toEqual(end);
  });
});

it("a continuation is signed over its time and its body, in bytes", () => {
  const body = '{"text":"日本"}';
  const mac = createHmac("sha256", "secret")
    .update(Buffer.from(`1700000000.${body}`, "utf8"))
    .digest("hex");
  expect(pushSignature("secret", body, 1_700_000_000_999)).toBe(`t=1700000000,v1=${mac}`);
});
