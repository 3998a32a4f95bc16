import type { Channel, SendOutcome } from "@interlude/channel-kit";
import { expect, it } from "vitest";
import { sendTimed } from "./send-all.ts";

const limited = (retryAfterMs: number): SendOutcome => ({
  kind: "rate_limited",
  retryAfterMs,
  scope: "channel",
});

const DAY_MS = 86_400_000;

it.each([
  [5_000, 5_000],
  [0, 0],
  [-7, 0],
  [1e15, DAY_MS],
  [Infinity, DAY_MS],
  [Number.NaN, 1_000],
])("a provider that asks for a pause of %d ms has one of %d", async (asked, kept) => {
  const told: SendOutcome[] = [];
  const channel: Pick<Channel, "send"> = { send: () => Promise.resolve(limited(asked)) };
  const deps = { channel, onSend: (outcome: SendOutcome) => told.push(outcome) };
  const outcome = await sendTimed(deps, { method: "m", body: {} }, new AbortController().signal);
  expect([outcome, ...told]).toEqual([limited(kept), limited(kept)]);
});
