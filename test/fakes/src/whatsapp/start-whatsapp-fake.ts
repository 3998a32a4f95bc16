import { bodyFields } from "../core/body-fields.ts";
import type { Received } from "../core/exchange.ts";
import type { FakeControl } from "../core/fake-control.ts";
import type { Delivery } from "../core/outbox.ts";
import type { NamedRequest, Provider } from "../core/provider.ts";
import { type FakeOptions, type Runtime, startFake } from "../core/start-fake.ts";
import { createFlow } from "./flows.ts";
import { createWhatsAppPerson } from "./person.ts";
import { sendMessage } from "./send-message.ts";
import { createWhatsAppWebhooks, type MessageStatus, type WhatsAppWebhooks } from "./webhooks.ts";
import {
  addMessage,
  metaError,
  PHONE_NUMBER_ID,
  type StoredMessage,
  WABA_ID,
  type WhatsAppSettings,
  type WhatsAppWorld,
} from "./world.ts";

export type WhatsAppFakeOptions = FakeOptions &
  Partial<WhatsAppSettings> &
  Readonly<{
    /** Whether everybody has just written, so that the window is open. */
    hasWritten?: boolean;
    /** Whether a message is reported sent and delivered by itself; otherwise by `report`. */
    reportsByItself?: boolean;
  }>;

export interface WhatsAppFake extends FakeControl {
  /** `WHATSAPP_API_URL`, with the version. */
  readonly apiUrl: string;
  readonly accessToken: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  deliverTo(url: string): void;
  /** A GET with the verify token and a challenge, which must come back. */
  handshake(verifyToken?: string): Promise<Delivery>;
  /** A later status of a message; `failed` with Meta's code. */
  report(id: string, status: MessageStatus, code?: number): Promise<Delivery>;
}

const SETTINGS: WhatsAppSettings = {
  accessToken: "fake-access-token",
  appSecret: "fake-app-secret",
  verifyToken: "fake-verify-token",
  templates: [{ name: "question", language: "en", parameters: 1 }],
  people: [
    { number: "15550001001", name: "Ada" },
    { number: "15550001002", name: "Bo" },
  ],
  refusesLater: false,
};

/** https://developers.facebook.com/documentation/business-messaging/whatsapp: one number of the Cloud API. */
export async function startWhatsAppFake(options: WhatsAppFakeOptions = {}): Promise<WhatsAppFake> {
  const settings = { ...SETTINGS, ...options };
  const { control, provider } = await startFake((runtime) => createWhatsApp(runtime, settings), options);
  const { webhooks } = provider;
  return Object.assign(control, {
    apiUrl: `${control.url}/v23.0`,
    accessToken: settings.accessToken,
    appSecret: settings.appSecret,
    verifyToken: settings.verifyToken,
    phoneNumberId: PHONE_NUMBER_ID,
    wabaId: WABA_ID,
    deliverTo(url: string) {
      webhooks.url = url;
    },
    handshake: webhooks.handshake,
    report: webhooks.report,
  });
}

function createWhatsApp(runtime: Runtime, settings: WhatsAppSettings & WhatsAppFakeOptions) {
  const world: WhatsAppWorld = {
    settings,
    messages: [],
    flows: [],
    people: new Map(settings.people.map(({ number, name }) => [number, name] as const)),
    nowMs: runtime.clock.nowMs,
    firstId: runtime.firstId,
    openForm: undefined,
  };
  const webhooks = createWhatsAppWebhooks(world, runtime.outbox);
  if (settings.hasWritten === true) {
    for (const person of world.people.keys()) {
      const empty = { replyTo: undefined, sent: undefined, media: [], status: undefined };
      addMessage(world, { person, fromApp: false, text: "Hello", ...empty });
    }
  }
  const accepted = async ({ id }: StoredMessage, isLate: boolean): Promise<void> => {
    if (isLate) await webhooks.report(id, "failed", 131_047);
    if (isLate || settings.reportsByItself !== true) return;
    await webhooks.report(id, "sent");
    await webhooks.report(id, "delivered");
  };
  return {
    name: "whatsapp",
    webhooks,
    receive: (received) => receive(world, received, accepted),
    failure: ({ status, code, message, retryAfterSeconds }) => ({
      ...metaError(status, Number(code ?? (status >= 500 ? 131000 : 100)), message ?? "Something went wrong"),
      ...(retryAfterSeconds === undefined ? {} : { headers: { "retry-after": String(retryAfterSeconds) } }),
    }),
    // Meta answers too much at once with 400: only the code tells.
    tooMany: ({ scope }) =>
      scope === "conversation"
        ? metaError(400, 131056, "(Business Account, Consumer Account) pair rate limit hit")
        : metaError(400, 130429, "Rate limit hit"),
    person: createWhatsAppPerson(world, webhooks, runtime.feed.changed),
  } satisfies Provider & { webhooks: WhatsAppWebhooks };
}

function receive(
  world: WhatsAppWorld,
  received: Received,
  accepted: (message: StoredMessage, isLate: boolean) => Promise<void>,
): NamedRequest {
  const path = received.path.replace(/^\/v[\d.]+\//, "");
  const { values: fields = {} } = bodyFields(received);
  const isMessage = received.method === "POST" && path === `${PHONE_NUMBER_ID}/messages`;
  const isFlow = received.method === "POST" && path === `${WABA_ID}/flows`;
  const to = typeof fields["to"] === "string" ? fields["to"] : undefined;
  return {
    operation: isMessage ? "messages" : isFlow ? "flows" : `${received.method} ${path}`,
    fields,
    ...(isMessage && to !== undefined ? { conversation: to } : {}),
    answer: () => {
      if (received.header("authorization") !== `Bearer ${world.settings.accessToken}`) {
        return metaError(401, 190, "Invalid OAuth access token - Cannot parse access token");
      }
      if (isFlow) return createFlow(world, fields);
      if (!isMessage) return metaError(400, 100, "Unsupported request", `Object '${path}' does not exist`);
      if (fields["status"] === "read") return { status: 200, body: { success: true } };
      const { answer, stored, isLate = false } = sendMessage(world, fields);
      if (stored !== undefined) void accepted(stored, isLate);
      return answer;
    },
  };
}
