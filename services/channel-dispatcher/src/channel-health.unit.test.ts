import type { SendOutcome } from "@interlude/channel-kit";
import { describe, expect, it } from "vitest";
import { watchHealth } from "./channel-health.ts";

const SENT: SendOutcome = { kind: "sent", messageId: "m1" };
const NOBODY: SendOutcome = { kind: "rejected", reason: "chat not found", code: "400" };
const OK = { status: "ok" };

describe("a channel's health", () => {
  it.each<[SendOutcome, string]>([
    [{ kind: "not_sent", reason: "not reached: ENOTFOUND" }, "not reached: ENOTFOUND"],
    [{ kind: "unknown", reason: "timeout" }, "timeout"],
    [{ kind: "rate_limited", retryAfterMs: 2_000, scope: "channel" }, "rate limited for 2 s"],
    [{ kind: "rejected", reason: "Unauthorized", code: "401", refusesUs: true }, "Unauthorized (code 401)"],
  ])("is failing after %j, until something is sent again", (outcome, reason) => {
    const watch = watchHealth();
    watch.onSend(SENT);
    watch.onSend(outcome);
    expect(watch.health).toEqual({ status: "failing", reason });
    watch.onSend(NOBODY);
    expect(watch.health).toEqual({ status: "failing", reason });
    watch.onSend(SENT);
    expect(watch.health).toEqual(OK);
  });

  it("is not touched by a message that was refused for itself", () => {
    const watch = watchHealth();
    watch.onSend(NOBODY);
    expect(watch.health).toEqual(OK);
  });

  it("is failing as long as the provider does not take our address, whatever is sent", () => {
    const watch = watchHealth();
    watch.onStart("telegram did not take the webhook");
    watch.onSend(SENT);
    expect(watch.health).toEqual({ status: "failing", reason: "telegram did not take the webhook" });
    watch.onStart(undefined);
    expect(watch.health).toEqual(OK);
  });
});
