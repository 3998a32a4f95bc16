import type { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { converse } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { head, openSocket } from "../support/raw-request.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { openStoreWitness } from "../support/store-witness.ts";

/** More than the kernels on both sides take for a reader that reads nothing. */
const HISTORY_BYTES = 14_000_000;
const QUESTION_CHARS = 8_000;
const STALLED = 15;

let interlude: Interlude;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { ask, call } = converse(at);
let last = 0;

beforeAll(async () => {
  interlude = await startInterlude({
    settings: { sse_keepalive_seconds: 1, max_concurrent: 0, max_streams: 0 },
  });
  const question = "x".repeat(QUESTION_CHARS);
  for (let left = HISTORY_BYTES / QUESTION_CHARS; left > 0; left -= 50) {
    await Promise.all(Array.from({ length: 50 }, () => ask({ question })));
  }
  const witness = await openStoreWitness(interlude.nats.url);
  last = await witness.lastSequence();
  await witness.close();
});

afterAll(() => interlude.stop());

/** What is held, and not what waits to be collected, which may be for long. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  return process.memoryUsage().arrayBuffers;
}

async function metric(name: string): Promise<number> {
  const { text } = await call("/metrics", { key: interlude.keys.operator });
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

/** A reader that asks for all of the history. */
async function openReader(): Promise<Socket> {
  const socket = await openSocket(interlude.url);
  socket.write(head("GET /api/interactions/stream", interlude.keys.operator, "last-event-id: 0"));
  return socket;
}

it("readers that take nothing more are let go, with all that waited for them", async () => {
  const before = {
    bytes: heldBytes(),
    dropped: await metric("interlude_dropped_streams_total"),
  };
  const sockets = await Promise.all(Array.from({ length: STALLED }, openReader));
  // As one whose machine has gone without a word: the connection stands, and nobody reads.
  for (const socket of sockets) socket.pause();
  await eventually(async () => (await metric("interlude_open_streams")) === STALLED);
  await eventually(async () => (await metric("interlude_open_streams")) === 0, { withinMs: 20_000 });
  expect(await metric("interlude_dropped_streams_total")).toBe(before.dropped + STALLED);
  await eventually(() => heldBytes() < before.bytes + 4_000_000, { withinMs: 20_000, everyMs: 200 });
  for (const socket of sockets) socket.destroy();
});

it("a reader that is slow, but reads, is told all of the history", async () => {
  const socket = await openReader();
  const told: Buffer[] = [];
  socket.on("data", (bytes: Buffer) => {
    told.push(bytes);
    socket.pause();
    setTimeout(() => socket.resume(), 20);
  });
  await eventually(() => Buffer.concat(told.slice(-4)).includes(`id: ${last}\n`), { withinMs: 40_000 });
  const ids = [
    ...Buffer.concat(told)
      .toString()
      .matchAll(/^id: (\d+)$/gm),
  ].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: last }, (_, each) => each + 1));
  socket.destroy();
  await eventually(async () => (await metric("interlude_open_streams")) === 0);
});
