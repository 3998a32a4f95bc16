import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { converse } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { openStream } from "../support/event-stream.ts";
import { startReturningReader } from "../support/returning-reader.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { openStoreWitness } from "../support/store-witness.ts";
import { startStorm, stormIds } from "../support/storm.ts";

const RESTARTS = ["kill", "terminate", "kill", "kill", "terminate", "kill", "terminate"] as const;
const A_ROUND = 40;
const EXPIRING = 5;

let interlude: Interlude;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const conversation = converse(at);

beforeAll(async () => {
  interlude = await startInterlude({ settings: { max_concurrent: 0, max_waits: 0 } });
});

afterAll(() => interlude.stop());

it(
  `over ${RESTARTS.length} restarts of nats-server a stream tells each event once, in order`,
  { timeout: 180_000 },
  async () => {
    const { url, keys, nats } = interlude;
    // One connection that nobody renews, and one that comes back with its last id.
    const staying = await openStream(url, { key: keys.operator });
    const returning = await startReturningReader(url, keys.operator, 0);
    for (const [round, end] of RESTARTS.entries()) {
      const storm = startStorm(conversation, {
        answered: stormIds(`round-${round}`, A_ROUND),
        expiring: stormIds(`short-${round}`, EXPIRING),
        expiringSeconds: 2,
      });
      await eventually(() => storm.accepted.answers > A_ROUND / 4, { withinMs: 30_000, everyMs: 1 });
      await nats[end]();
      // A reader that breaks off while the log is away resumes when it is back.
      if (round % 2 === 1) returning.breakOff();
      await nats.restart();
      expect(new Set(await storm.over)).toEqual(new Set([200]));
    }

    const witness = await openStoreWitness(nats.url);
    const last = await witness.lastSequence();
    await witness.close();
    expect(last).toBe(RESTARTS.length * 2 * (A_ROUND + EXPIRING));
    const everything = Array.from({ length: last }, (_, each) => each + 1);
    for (const frames of [() => staying.frames, returning.frames]) {
      await eventually(() => frames().length >= last, { withinMs: 20_000 });
      expect(frames().map(({ id }) => Number(id))).toEqual(everything);
    }
    expect(staying.isOver()).toBe(false);
    staying.close();
    await returning.stop();
  },
);
