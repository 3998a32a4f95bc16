import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askOverChannel } from "../support/channel-question.ts";
import { send } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let interlude: Interlude;

beforeAll(async () => {
  interlude = await startInterlude();
});

afterAll(() => interlude.stop());

it("with the log away a callback is a constant 503, and answers when it comes again", async () => {
  const { id, callbackUrl } = await askOverChannel(interlude, { answer_format: "confirm" });
  await interlude.nats.kill();
  try {
    await eventually(
      async () => {
        const away = await send(callbackUrl, { json: { answer: true } });
        expect([away.status, away.text]).toEqual([503, '{"error":"unavailable"}']);
        expect(away.headers.get("retry-after")).toBe("1");
        expect(away.headers.get("cache-control")).toBe("no-store");
        expect(away.headers.get("x-request-id")).toBeNull();
        expect((await send(callbackUrl)).status).toBe(503);
      },
      { withinMs: 10_000 },
    );
  } finally {
    await interlude.nats.restart();
  }
  await eventually(async () => (await send(callbackUrl, { json: { answer: true } })).status === 200, {
    withinMs: 15_000,
    everyMs: 250,
  });
  const result = await send(`${interlude.url}/api/interactions/${id}/result`, { key: interlude.keys.asker });
  expect(result.json).toMatchObject({ status: "answered", answer: true });
});
