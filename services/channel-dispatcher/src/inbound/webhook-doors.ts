import type { Channel, Inbound, WebhookDelivery, WebhookReply } from "@interlude/channel-kit";
import { CAPS } from "@interlude/contract";
import type { Clock } from "@interlude/kernel";
import {
  type Logger,
  problemResponse,
  readBody,
  type RequestContext,
  type Route,
} from "@interlude/service-kit";

export type WebhookDeps = {
  channels: ReadonlyMap<string, Channel>;
  clock: Clock;
  logger: Logger;
  /** Keeps what came over the channel, each update once; what the provider waits for is answered in `withinMs`. */
  take: (channel: Channel, inbound: Inbound, withinMs: number) => Promise<WebhookReply | undefined>;
};

/** Slack gives up after 3 s, and what it waits for has to reach it by then. */
const ANSWER_WITHIN_MS = 2_500;

/** What providers are told, and who is none: a constant, of which nobody learns anything. */
const reply = (status: number, body = "", type = "text/plain; charset=utf-8"): Response =>
  new Response(body, { status, headers: { "content-type": type, "cache-control": "no-store" } });

/** Where providers deliver: verified, kept, and only then acknowledged. Most of it is decided later. */
export function webhookDoors(deps: WebhookDeps): Route[] {
  const common = { query: "unchecked", constant: true } as const;
  return [
    {
      ...common,
      door: "POST /api/channels/:channel/webhook",
      body: "raw",
      async handle(context) {
        const read = await readBody(context.incoming, CAPS.WEBHOOK_MAX_BYTES);
        if (!read.ok) return unread(read.reason);
        return taken(deps, context, read.bytes);
      },
    },
    {
      ...common,
      door: "GET /api/channels/:channel/webhook",
      body: "none",
      handle: (context) => taken(deps, context, new Uint8Array()),
    },
  ];
}

async function taken(deps: WebhookDeps, context: RequestContext, rawBody: Uint8Array): Promise<Response> {
  const dueMs = performance.now() + ANSWER_WITHIN_MS;
  const channel = deps.channels.get(context.param("channel"));
  if (channel === undefined)
    return problemResponse({ code: "not_found", detail: "There is no such channel." });
  const delivery: WebhookDelivery = {
    method: context.incoming.method ?? "",
    url: context.incoming.url ?? "",
    headers: { get: (name) => context.header(name) ?? null },
    rawBody,
  };
  if (!channel.verify(delivery, deps.clock.nowMs()).ok) return reply(401);
  try {
    const parsed = channel.parse(delivery);
    let { reply: told } = parsed;
    for (const inbound of parsed.inbound) {
      told = (await deps.take(channel, inbound, dueMs - performance.now())) ?? told;
    }
    const { status = 200, body = "", contentType } = told ?? {};
    return reply(status, body, contentType);
  } catch (error) {
    // Not acknowledged: the provider delivers it again.
    deps.logger.warn("an update was not kept", { channel: channel.name, reason: String(error) });
    return problemResponse({ code: "unavailable", detail: "The update was not kept; deliver it again." });
  }
}

function unread(reason: "too_large" | "aborted"): Response {
  if (reason === "aborted")
    return problemResponse({ code: "validation_failed", detail: "The body ended early." });
  const detail = `The body may have ${CAPS.WEBHOOK_MAX_BYTES} bytes at most.`;
  return problemResponse({ code: "payload_too_large", detail });
}
