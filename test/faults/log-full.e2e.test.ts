import { type Log, logRoom, openLog } from "@interlude/event-log";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { converse, faultsOf } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let interlude: Interlude;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { ask, answer, result, call } = converse(at);

beforeAll(async () => {
  interlude = await startInterlude({
    settings: { max_concurrent: 0 },
    env: { INTERLUDE_LOG_MAX_BYTES: "4194304" },
  });
});

afterAll(() => interlude.stop());

async function fullnessOf(log: Log): Promise<number> {
  const { bytes, maxBytes } = await logRoom(log);
  return bytes / maxBytes;
}

it("a log that is nearly full refuses questions with 503, and takes the answers to those it has", async () => {
  const log = await openLog({ url: interlude.nats.url, service: "witness" });
  const accepted: string[] = [];
  const question = "x".repeat(8_000);
  const replies: Awaited<ReturnType<typeof ask>>[] = [];
  await eventually(
    async () => {
      const reply = await ask({ question });
      if (reply.status === 201) accepted.push(String(reply.json["interaction_id"]));
      else replies.push(reply);
      // What is only estimated between two looks may refuse a little early, and not for long: after the next look
      // there is room again, until the log itself is as full as it may be.
      return reply.status !== 201 && (await fullnessOf(log)) >= 0.95;
    },
    { withinMs: 40_000, everyMs: 1 },
  );
  const refused = replies.at(-1);
  if (refused === undefined) throw new Error("every question was taken");
  expect(faultsOf(refused)).toMatchObject({ status: 503, code: "unavailable" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const fullness = await fullnessOf(log);
  expect(fullness).toBeLessThan(1);

  const answered = accepted.slice(0, 50);
  const waiting = answered.map((id) => result(id, "?wait=20"));
  for (const id of answered) expect((await answer(id, `to ${id}`)).status).toBe(200);
  expect((await Promise.all(waiting)).map(({ json }) => json["answer"])).toEqual(
    answered.map((id) => `to ${id}`),
  );
  expect((await ask({ question: "And now?" })).status).toBe(503);
  expect((await call("/healthz")).status).toBe(200);
  await log.close();
});
