import { type Log, openLog, openTail } from "@interlude/event-log";
import { eventually } from "@interlude/testing";
import type { Bench, Scenario } from "../bench.ts";
import type { Composition } from "../composition.ts";
import { type EventFeed, openEventFeed } from "../event-feed.ts";
import { delay } from "../load.ts";
import { currentLoad, type Row, rowOf, rowOfPairs } from "../measurement.ts";
import { processFigures } from "../process-figures.ts";
import { pendingQuestion, seedQuestions } from "../seed.ts";
import { median, quantile, spreadOf } from "../statistics.ts";

const CLIENTS = 1_000;
const EVENTS_PER_SECOND = 200;
const SECONDS = 4;
/** Reading every frame of every client would be this process's whole work: some are read, all are counted. */
const READ_CLIENTS = 40;
const CONNECT_AT_A_TIME = 50;
const ARRIVE_WITHIN_MS = 30_000;

/** Many open inboxes that all see every event, against one consumer of the same events at the same time. */
export const stream: Scenario = {
  name: "stream",
  seconds: () => 55,
  async run(bench) {
    const composition = await bench.start();
    const log = await openLog({ url: composition.natsUrl, service: "bench" });
    await warm(composition, log);
    const before = processFigures(composition.pid);
    const feeds = await openFeeds(composition);
    await delay(500);
    const after = processFigures(composition.pid);
    try {
      const rows = await measureWindows(bench, composition, log, feeds);
      if (before === undefined || after === undefined) return rows;
      const perClient = (after.rssKb - before.rssKb) / CLIENTS;
      return [...rows, rowOf(`stream, memory a client`, "kB", [perClient])];
    } finally {
      for (const feed of feeds) feed.close();
      await log.close();
    }
  },
};

async function warm(composition: Composition, log: Log): Promise<void> {
  const feed = await openEventFeed(composition);
  await publishPaced(log, 1, new Map());
  feed.close();
}

async function openFeeds(composition: Composition): Promise<EventFeed[]> {
  const feeds: EventFeed[] = [];
  while (feeds.length < CLIENTS) {
    feeds.push(
      ...(await Promise.all(Array.from({ length: CONNECT_AT_A_TIME }, () => openEventFeed(composition)))),
    );
  }
  return feeds;
}

async function measureWindows(
  bench: Bench,
  composition: Composition,
  log: Log,
  feeds: EventFeed[],
): Promise<Row[]> {
  const p50: number[] = [];
  const p99: number[] = [];
  const rawP50: number[] = [];
  const rawP99: number[] = [];
  const shares: number[] = [];
  const load: number[] = [];
  for (let round = 0; round < bench.options.pairs; round++) {
    const seen = await measureWindow(composition, log, feeds);
    p50.push(median(seen.ours));
    p99.push(quantile(seen.ours, 0.99));
    rawP50.push(median(seen.raw));
    rawP99.push(quantile(seen.raw, 0.99));
    if (seen.cpuShare !== undefined) shares.push(seen.cpuShare);
    load.push(currentLoad());
  }
  const open = feeds.filter(({ isOpen }) => isOpen).length;
  const note = `${open} of ${CLIENTS} clients stayed; each got every byte; ${READ_CLIENTS} were timed`;
  const name = `stream, ${CLIENTS} clients at ${EVENTS_PER_SECOND} events/s`;
  const rows = [
    rowOfPairs(`${name}, p50`, "ms", { ours: p50, reference: rawP50, load }, undefined, note),
    rowOfPairs(`${name}, p99`, "ms", { ours: p99, reference: rawP99, load }),
  ];
  if (shares.length === 0) return rows;
  return [...rows, { ...rowOf(`${name}, share of a core`, "%", shares), load: spreadOf(load) }];
}

async function measureWindow(composition: Composition, log: Log, feeds: readonly EventFeed[]) {
  const sentAt = new Map<string, number>();
  const ours: number[] = [];
  const raw: number[] = [];
  for (const feed of feeds.slice(0, READ_CLIENTS)) {
    feed.onQuestion = (question) => ours.push(performance.now() - (sentAt.get(question) ?? NaN));
  }
  const tail = await openTail(log, { onUnreadable: () => undefined });
  tail.subscribe(({ entry }) => {
    if (!("unknownType" in entry) && entry.type === "asked")
      raw.push(performance.now() - (sentAt.get(entry.data.question) ?? NaN));
  });
  const begun = feeds.map(({ bytes }) => bytes);
  const cpuBefore = processFigures(composition.pid)?.cpuSeconds;
  const startedAt = performance.now();
  const count = await publishPaced(log, SECONDS, sentAt);
  await eventually(() => ours.length >= count * READ_CLIENTS, { withinMs: ARRIVE_WITHIN_MS });
  await eventually(() => gotTheSame(feeds, begun), { withinMs: ARRIVE_WITHIN_MS });
  const cpuAfter = processFigures(composition.pid)?.cpuSeconds;
  const seconds = (performance.now() - startedAt) / 1_000;
  await tail.close();
  const cpuShare =
    cpuBefore === undefined || cpuAfter === undefined ? undefined : ((cpuAfter - cpuBefore) * 100) / seconds;
  return { ours, raw, cpuShare };
}

/** A keepalive may fall into a quiet moment; the frames are the same bytes for every client. */
const KEEPALIVE_BYTES = 100;

function gotTheSame(feeds: readonly EventFeed[], begun: readonly number[]): boolean {
  const got = feeds.map(({ bytes }, index) => bytes - (begun[index] ?? 0));
  return Math.max(...got) - Math.min(...got) <= KEEPALIVE_BYTES;
}

/** Questions at an even pace; how many. */
async function publishPaced(log: Log, seconds: number, sentAt: Map<string, number>): Promise<number> {
  const startedAt = performance.now();
  const total = seconds * EVENTS_PER_SECOND;
  const publishing: Promise<unknown>[] = [];
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.ceil(((performance.now() - startedAt) / 1_000) * EVENTS_PER_SECOND));
    for (; sent < due; sent++) publishing.push(publishOne(log, sentAt));
    await delay(2);
  }
  await Promise.all(publishing);
  return total;
}

async function publishOne(log: Log, sentAt: Map<string, number>): Promise<void> {
  const data = pendingQuestion(log.clock.nowMs());
  const question = `${data.question} ${data.interaction_id}`;
  sentAt.set(question, performance.now());
  await seedQuestions(log, 1, () => ({ ...data, question }));
}
