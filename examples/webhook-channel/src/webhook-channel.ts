import {
  callProvider,
  type Channel,
  type Inbound,
  endText,
  type OpenChannel,
  type ParsedDelivery,
  type ProviderRequest,
  type SendOutcome,
  statusOutcome,
  toldReason,
} from "@interlude/channel-kit";
import type { FieldFault } from "@interlude/contract";
import { z } from "zod";
import { readConfig, type WebhookConfig } from "./config.ts";
import { renderEnd, renderNotice, renderNotification, renderQuestion } from "./render.ts";
import { isSigned, sign } from "./signature.ts";

const TIMEOUT_MS = 10_000;
const SIGNATURE_HEADER = "webhook-signature";

/** What the receiver posts to us when a person has written. */
const Reply = z.object({
  id: z.string().min(1).max(200),
  /** The address that the question was posted to. */
  conversation: z.url({ protocol: /^https?$/ }),
  from: z.string().min(1).max(200),
  text: z.string().optional(),
  /** The id that the receiver gave the message that this one is to. */
  reply_to: z.string().min(1).optional(),
});

/** Interlude calls this once, with the variables that begin with `WEBHOOK_`. */
export const openChannel: OpenChannel = (variables, { language }) => {
  const setup = readConfig(variables);
  return setup.state === "set"
    ? { state: "set", config: createWebhookChannel(setup.config, language) }
    : setup;
};

function createWebhookChannel(config: WebhookConfig, language: string): Channel {
  const recipientFaults = (recipient = config.defaultRecipient) => faultsOf(recipient, config.origins);
  return {
    name: "webhook",
    capabilities: {
      formDelivery: "none",
      interactive: true,
      replyContext: true,
      media: [],
      caps: {},
      idempotentSend: false,
    },
    defaultRecipient: config.defaultRecipient,
    check: ({ recipient }) => recipientFaults(recipient),
    checkNotification: ({ recipient }) => recipientFaults(recipient),
    address: (recipient) => (URL.canParse(recipient) ? new URL(recipient).href : recipient),
    render: renderQuestion,
    renderEnd: ({ address, messageId }, end) => renderEnd(address, messageId, endText(end, language)),
    renderNotice,
    renderNotification,
    send: (request, signal) => send(request, signal, config),
    verify: ({ method, headers, rawBody }, nowMs) => ({
      ok: method === "POST" && isSigned(config.secret, headers.get(SIGNATURE_HEADER), rawBody, nowMs),
    }),
    parse: ({ rawBody }) => parse(rawBody),
  };
}

function faultsOf(recipient: string | undefined, origins: ReadonlySet<string>): FieldFault[] {
  const fault = (message: string): FieldFault[] => [{ path: "/recipient", message: `recipient ${message}` }];
  if (recipient === undefined) return fault("is required: WEBHOOK_DEFAULT_RECIPIENT is not set");
  if (!URL.canParse(recipient)) return fault("must be a URL on channel webhook");
  return origins.has(new URL(recipient).origin) ? [] : fault("is not at one of WEBHOOK_ALLOWED_ORIGINS");
}

/** One attempt, which says how it ended; the queue decides what follows. */
async function send(
  { body }: ProviderRequest,
  signal: AbortSignal,
  { secret, origins }: WebhookConfig,
): Promise<SendOutcome> {
  const { to, ...message } = body;
  // Looked at again: what was asked may have waited while the list has changed.
  if (typeof to !== "string" || faultsOf(to, origins).length > 0) {
    return { kind: "rejected", reason: "the recipient is not at one of WEBHOOK_ALLOWED_ORIGINS" };
  }
  const text = JSON.stringify(message);
  const answer = await callProvider({
    url: to,
    headers: { "content-type": "application/json", [SIGNATURE_HEADER]: sign(secret, text, Date.now()) },
    body: text,
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  if (answer.kind === "broken") return answer.outcome;
  const byStatus = statusOutcome(answer);
  if (byStatus !== undefined) return byStatus;
  if (answer.status >= 400) {
    const { reason } = answer.json ?? {};
    const told = typeof reason === "string" ? reason : `http ${answer.status}`;
    return { kind: "rejected", reason: toldReason(told, [secret]) };
  }
  const id = answer.json?.["id"];
  if (typeof id === "string" && id !== "") return { kind: "sent", messageId: id };
  return { kind: "unknown", reason: `http ${answer.status} without a message id` };
}

function parse(rawBody: Uint8Array): ParsedDelivery {
  return { inbound: [inboundOf(rawBody)] };
}

function inboundOf(rawBody: Uint8Array): Inbound {
  const read = Reply.safeParse(readJson(rawBody));
  if (!read.success) return { kind: "ignored", reason: "no reply" };
  const { id, conversation, from, text, reply_to: replyTo } = read.data;
  return {
    ...{ kind: "message", updateId: id, messageId: id, from, isDirect: true },
    address: new URL(conversation).href,
    ...(text === undefined || text === "" ? {} : { text }),
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}

function readJson(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(rawBody).toString("utf8"));
  } catch {
    return undefined;
  }
}
