import { randomUUID } from "node:crypto";
import { formatInstant } from "@interlude/contract";
import { createInteractionStore, handleCommand, type Log, openLog, provisionLog } from "@interlude/event-log";
import { type OwnServer, startOwnNats } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rearm } from "../src/rearm.ts";

let server: OwnServer;
let log: Log;
beforeAll(async () => {
  server = await startOwnNats();
  const admin = await openLog({ url: server.url, service: "provision" });
  await provisionLog(admin, { replicas: 1 });
  await admin.close();
  log = await openLog({ url: server.url, service: "test" });
});
afterAll(async () => {
  await log.close();
  await server.stop();
});

async function ask(): Promise<string> {
  const id = randomUUID();
  const nowMs = log.clock.nowMs();
  const asked = {
    interaction_id: id,
    asker: "ann",
    group_id: "g",
    question: "Still there?",
    answer_format: "confirm" as const,
    format_payload: {},
    mode: "sync" as const,
    created_at: formatInstant(nowMs),
    timeout_at: formatInstant(nowMs + 600_000),
    sensitive: false,
    fingerprint: "f",
  };
  await handleCommand(createInteractionStore(log), id, { type: "Ask", asked }, () => log.clock.nowMs());
  return id;
}

it("sets the deadlines of open questions again, and of those alone", async () => {
  const [open, ended] = [await ask(), await ask()];
  const cancel = { type: "Cancel", cancelledBy: "ann", nowMs: log.clock.nowMs() } as const;
  await handleCommand(createInteractionStore(log), ended, cancel, () => log.clock.nowMs());
  expect(await rearm(server.url)).toBe(1);
  expect(await rearm(server.url)).toBe(1);
  const { state } = await log.manager.streams.info("TIMERS", { subjects_filter: "timers.set.*" });
  expect(Object.keys(state.subjects ?? {})).toEqual([`timers.set.${open}`]);
});
