import type { Answer } from "../core/exchange.ts";
import type { FakeControl } from "../core/fake-control.ts";
import type { Delivery } from "../core/outbox.ts";
import type { Provider } from "../core/provider.ts";
import { type FakeOptions, type Runtime, startFake } from "../core/start-fake.ts";
import { receiveSlack, slackError } from "./methods.ts";
import { createSlackPerson } from "./person.ts";
import { createSlackWebhooks, type SlackWebhooks } from "./webhooks.ts";
import type { SlackChannel, SlackWorld } from "./world.ts";

export type SlackFakeOptions = FakeOptions &
  Readonly<{ botToken?: string; signingSecret?: string; channels?: readonly SlackChannel[] }>;

export interface SlackFake extends FakeControl {
  /** `SLACK_API_URL`. */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly signingSecret: string;
  /** Where events and interactions are delivered. */
  deliverTo(url: string): void;
  /** Sends the challenge of a newly entered URL. */
  challenge(): Promise<Delivery>;
}

const ADA = { id: "U0ADA", name: "Ada" } as const;
const BO = { id: "U0BO", name: "Bo" } as const;
const CHANNELS: readonly SlackChannel[] = [
  { id: "D0ADA", kind: "direct", name: "Ada", people: [ADA] },
  { id: "D0BO", kind: "direct", name: "Bo", people: [BO] },
  { id: "C0OPS", kind: "group", name: "ops", people: [ADA, BO] },
];

/** https://docs.slack.dev: an app in one workspace, its channels, and the people in them. */
export async function startSlackFake(options: SlackFakeOptions = {}): Promise<SlackFake> {
  const botToken = options.botToken ?? "xoxb-fake";
  const signingSecret = options.signingSecret ?? "fake-signing-secret";
  const { control, provider } = await startFake(
    (runtime) => createSlack(runtime, botToken, signingSecret, options.channels ?? CHANNELS),
    options,
  );
  return Object.assign(control, {
    apiUrl: `${control.url}/api/`,
    botToken,
    signingSecret,
    deliverTo(url: string) {
      provider.webhooks.eventsUrl = url;
      provider.webhooks.interactionsUrl = url;
    },
    challenge: provider.webhooks.challenge,
  });
}

function createSlack(
  runtime: Runtime,
  botToken: string,
  signingSecret: string,
  channels: readonly SlackChannel[],
): Provider & { webhooks: SlackWebhooks } {
  const { nowMs } = runtime.clock;
  const world: SlackWorld = {
    botToken,
    channels,
    messages: [],
    triggers: new Map(),
    views: [],
    count: 0,
    firstId: runtime.firstId,
    nowMs,
  };
  const webhooks = createSlackWebhooks(world, runtime.outbox, signingSecret);
  return {
    name: "slack",
    webhooks,
    receive: (received) => receiveSlack(world, received),
    failure: ({ status, code, retryAfterSeconds }) =>
      retryAfterSeconds === undefined
        ? { ...slackError(String(code ?? "internal_error")), status }
        : tooMany(retryAfterSeconds),
    tooMany: ({ retryAfterSeconds }) => tooMany(retryAfterSeconds),
    person: createSlackPerson({ world, webhooks, runtime }),
  };
}

function tooMany(seconds: number): Answer {
  return { ...slackError("ratelimited"), status: 429, headers: { "retry-after": String(seconds) } };
}
