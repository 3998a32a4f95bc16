import { type ChangeFeed, createChangeFeed } from "./change-feed.ts";
import { type ChatLink, serveChatPage } from "./chat-page.ts";
import { createClock, type FakeClock } from "./clock.ts";
import { createControlDoors } from "./control-doors.ts";
import type { FakeControl } from "./fake-control.ts";
import { createFaults } from "./faults.ts";
import { createGate } from "./gate.ts";
import { startHttpServer } from "./http-server.ts";
import { createOutbox, type Sender } from "./outbox.ts";
import type { Provider } from "./provider.ts";
import { createRates } from "./rates.ts";

export type FakeOptions = Readonly<{
  /** A free one unless given. */
  port?: number;
  nowMs?: () => number;
  /** See `OutboxOptions.retryDelaysMs`. */
  webhookRetryDelaysMs?: readonly number[];
  /** Its ids go on from here: a provider never gives one twice, also when its stand-in has ended in between. */
  firstId?: number;
}>;

/** What a provider's part gets from the common part. */
export type Runtime = Readonly<{
  clock: FakeClock;
  outbox: Sender;
  feed: ChangeFeed;
  /** The fake's own base URL. */
  url: () => string;
  firstId: number;
}>;

/** Starts a fake: the provider's API, the doors that control it, and its chat page, on one port. */
export async function startFake<P extends Provider>(
  create: (runtime: Runtime) => P,
  options: FakeOptions,
): Promise<{ control: FakeControl; provider: P }> {
  const clock = createClock(options.nowMs);
  const feed = createChangeFeed();
  const outbox = createOutbox({
    onDelivered: feed.changed,
    ...(options.webhookRetryDelaysMs === undefined ? {} : { retryDelaysMs: options.webhookRetryDelaysMs }),
  });
  let url = "";
  const provider = create({ clock, outbox, feed, url: () => url, firstId: options.firstId ?? 0 });
  const faults = createFaults();
  const rates = createRates();
  const stopping = new AbortController();
  const gate = createGate({ provider, faults, rates, nowMs: clock.nowMs, stopping: stopping.signal });

  let others: readonly ChatLink[] = [];
  const page = serveChatPage(provider.person, feed, () => others);
  // The doors control what is only complete once the port is known; a request cannot come before that.
  const late: { doors?: ReturnType<typeof createControlDoors> } = {};
  const server = await startHttpServer(async (received) => {
    const shown = await page(received);
    if (shown !== undefined) return shown;
    if (received.path.startsWith("/_fake/") && late.doors !== undefined) return late.doors(received);
    const answer = await gate.pass(received);
    feed.changed();
    return answer;
  }, options.port);
  url = server.url;

  const control: FakeControl = {
    name: provider.name,
    url,
    get requests() {
      return gate.requests;
    },
    forgetRequests: gate.forget,
    fault: faults.add,
    clearFaults: faults.clear,
    limitRates: rates.limit,
    advanceClock: clock.advance,
    webhooks: outbox,
    person: provider.person,
    showBeside(links) {
      others = links;
      feed.changed();
    },
    async stop() {
      stopping.abort();
      outbox.stop();
      await server.stop();
    },
  };
  late.doors = createControlDoors(control);
  return { control, provider };
}
