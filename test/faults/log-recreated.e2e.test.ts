import { openLog, provisionLog, STREAMS } from "@interlude/event-log";
import { eventually, freePort } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChild } from "../support/child-process.ts";
import { converse } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { openStream } from "../support/event-stream.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let interlude: Interlude;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { ask, asked, answer, result } = converse(at);

beforeAll(async () => {
  interlude = await startInterlude();
});

afterAll(() => interlude.stop());

/** As an operator who lost the log's disk would: the stream is gone, and made anew from nothing. */
async function recreateLog(): Promise<void> {
  const log = await openLog({ url: interlude.nats.url, service: "operator" });
  await log.manager.streams.delete(STREAMS.interactions);
  await provisionLog(log, { replicas: 1 });
  await log.close();
}

it("A-NATS-3: over a log made anew, a resume from the old one goes on from the end, at once", async () => {
  const before = [];
  for (let each = 0; each < 20; each++) before.push(await ask({ question: `Old ${each}?` }));
  const last = Number(before.at(-1)?.json["sequence"]);
  const open = await openStream(interlude.url, { key: interlude.keys.answerer });
  const seenBefore = await asked({ question: "Seen before?" });
  await open.frameOf(seenBefore, "interaction.add");

  await recreateLog();
  const resumed = await openStream(interlude.url, {
    key: interlude.keys.answerer,
    headers: { "last-event-id": String(last) },
  });
  const first = await ask({ question: "The first of the new log?" });
  expect(first.status).toBe(201);
  expect(Number(first.json["sequence"])).toBeLessThan(last);
  const id = String(first.json["interaction_id"]);
  // The one that resumed, and the one that was open through it all.
  await resumed.frameOf(id, "interaction.add", 5_000);
  await open.frameOf(id, "interaction.add", 5_000);

  const waiting = result(id, "?wait=10");
  expect((await answer(id, "heard")).status).toBe(200);
  expect((await waiting).json["answer"]).toBe("heard");
  await resumed.frameOf(id, "interaction.answered");
  await open.frameOf(id, "interaction.answered");
  for (const stream of [resumed, open])
    expect(stream.frames.filter(({ data }) => data["interaction_id"] === id)).toHaveLength(2);
  resumed.close();
  open.close();
});

it("what was remembered of the old log is neither shown nor answered", async () => {
  const id = await asked({ question: "Lost with its log?" });
  await recreateLog();
  expect((await answer(id, "x")).status).toBe(404);
  expect((await result(id)).status).toBe(404);
});

it("deadlines are kept on the new log", async () => {
  const id = await asked({ timeout_seconds: 1 });
  await eventually(async () => (await result(id)).json["status"] === "expired", { withinMs: 15_000 });
});

it(
  "a resume that cannot be, or that is no place at all, is logged once each, as a warning",
  { timeout: 60_000 },
  async () => {
    const port = await freePort();
    const child = startChild(["serve"], {
      ...interlude.shared,
      PORT: String(port),
      NATS_URL: interlude.nats.url,
      DATABASE_URL: interlude.databaseUrl,
      INTERLUDE_API_KEYS_FILE: interlude.apiKeysFile,
    });
    try {
      const url = `http://127.0.0.1:${port}`;
      await child.says(/ready/);
      const key = interlude.keys.answerer;
      for (const lastEventId of ["999999999", "no place"]) {
        const stream = await openStream(url, { key, headers: { "last-event-id": lastEventId } });
        const id = await asked();
        await stream.frameOf(id, "interaction.add");
        stream.close();
      }
      const warnings = child
        .output()
        .split("\n")
        .filter((line) => line.includes("stream cannot resume"));
      expect(warnings).toHaveLength(2);
      for (const line of warnings) expect(line).toMatch(/"level":(40|"warn")/);
      expect(warnings.map((line) => /999999999|malformed/.exec(line)?.[0])).toEqual([
        "999999999",
        "malformed",
      ]);
    } finally {
      await child.kill();
    }
  },
);
