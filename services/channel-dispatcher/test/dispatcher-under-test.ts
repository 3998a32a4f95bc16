import type { Channel } from "@interlude/channel-kit";
import { type AskedData, formatInstant } from "@interlude/contract";
import { fold, type InteractionCommand, type KnownInteraction } from "@interlude/domain";
import {
  createInteractionStore,
  handleCommand,
  type InteractionStore,
  type Log,
  openBucket,
  openLog,
  provisionLog,
} from "@interlude/event-log";
import { generateKeyring, parseKeyring } from "@interlude/secrets";
import {
  createAnswerKeys,
  createMetrics,
  recordingLogger,
  type Service,
  Settings,
} from "@interlude/service-kit";
import { startOwnNats } from "@interlude/testing";
import { createChannelDispatcher, parseRoutes } from "../src/index.ts";

export const BASE_URL = "http://127.0.0.1:8787";

/** A log with what the channels need, and as many workers as a test wants. */
export async function openDispatchers() {
  const server = await startOwnNats();
  const admin = await openLog({ url: server.url, service: "provision" });
  await provisionLog(admin, { maxBytes: 268_435_456, replicas: 1 }, ["telegram", "sms", "slow"]);
  await admin.close();
  const log = await openLog({ url: server.url, service: "test" });
  const store = createInteractionStore(log);
  const keys = generateKeyring();
  const keyring = parseKeyring(keys, "test");
  const opened: { log: Log; service: Service }[] = [];

  /** A worker of its own, on a connection of its own. */
  async function worker(
    channels: readonly Channel[],
    settings: Record<string, unknown> = {},
    routes: readonly object[] = [],
  ) {
    const parsed = parseRoutes(routes);
    if (!parsed.ok) throw new Error(parsed.faults.join());
    const own = await openLog({ url: server.url, service: "channel-dispatcher" });
    const metrics = createMetrics();
    const logger = recordingLogger();
    const service = createChannelDispatcher({
      log: own,
      channels: new Map(channels.map((channel) => [channel.name, channel])),
      misconfigured: new Map(),
      routes: parsed.routes,
      conversationKeys: keyring,
      links: { baseUrl: BASE_URL, keyring },
      answerKeys: createAnswerKeys(await openBucket(own, "answerKeys"), keyring),
      settings: Settings.parse(settings),
      logger,
      metrics,
    });
    opened.push({ log: own, service });
    await service.start();
    return { service, metrics, logger, log: own };
  }

  return {
    log,
    store,
    server,
    /** For workers in processes of their own. */
    keys,
    keyring,
    worker,
    ask: (asked: AskedData) => ask(log, store, asked),
    stateOf: (id: string) => stateOf(store, id),
    decide: (id: string, command: InteractionCommand) =>
      handleCommand(store, id, command, () => log.clock.nowMs()),
    async close() {
      await Promise.all(opened.map(({ service }) => service.stop()));
      await Promise.all(opened.map((each) => each.log.close()));
      await log.close();
      await server.stop();
    },
  };
}

async function ask(log: Log, store: InteractionStore, asked: AskedData): Promise<void> {
  const handled = await handleCommand(store, asked.interaction_id, { type: "Ask", asked }, () =>
    log.clock.nowMs(),
  );
  if (!handled.ok) throw new Error("it was not asked");
}

export async function stateOf(store: InteractionStore, id: string): Promise<KnownInteraction> {
  const folded = fold((await store.readFresh(id)).entries.map((stored) => stored.entry));
  if (!folded.ok || folded.state.status === "unasked") throw new Error(`${id} is not there`);
  return folded.state;
}

/** A question as the asker stores it. */
export function askedOf(
  id: string,
  rest: Partial<AskedData> & { channel: string; recipient: string },
): AskedData {
  const nowMs = Date.now();
  return {
    interaction_id: id,
    asker: "asker",
    group_id: `group-${id}`,
    question: `Shall we, ${id}?`,
    answer_format: "confirm",
    format_payload: {},
    mode: "sync",
    created_at: formatInstant(nowMs),
    timeout_at: formatInstant(nowMs + 600_000),
    sensitive: false,
    fingerprint: id,
    ...rest,
  };
}
