import { type Fields, textOf } from "../core/json.ts";
import { exceeds } from "../core/limit.ts";
import type { Delivery, Sender, WebhookRequest } from "../core/outbox.ts";
import { TELEGRAM_LIMITS as LIMITS, WEBHOOK_PORTS } from "./limits.ts";
import { badRequest, TelegramRefusal } from "./refusal.ts";
import type { Call } from "./sending.ts";

type Settings = { url: string; secretToken: string | undefined; allowed: readonly string[] | undefined };

/** What Telegram leaves out unless it is asked for. */
const UNASKED = ["chat_member", "message_reaction", "message_reaction_count"];

/** The updates: to the webhook once one is set, and kept for `getUpdates` until then. */
export interface Updates {
  /** Undefined when the bot has not asked for this kind. */
  readonly tell: (kind: string, body: Fields) => Promise<Delivery | undefined>;
  readonly setWebhook: (call: Call) => true;
  /** As after a webhook was set. */
  readonly deliverTo: (url: string, secretToken: string) => void;
  readonly deleteWebhook: (call: Call) => true;
  readonly getWebhookInfo: () => Fields;
  readonly getUpdates: (call: Call) => Fields[];
}

export function createUpdates(outbox: Sender, firstId: number): Updates {
  let settings: Settings = { url: "", secretToken: undefined, allowed: undefined };
  let pending: Fields[] = [];
  let lastId = firstId + 100;

  const send = (update: Fields, kind: string): Promise<Delivery> =>
    outbox.send({
      topic: kind,
      timeoutMs: LIMITS.webhookWaitMs.max,
      build: () => toRequest(settings, update),
    });

  return {
    async tell(kind, body) {
      const isAsked = settings.allowed?.includes(kind) ?? !UNASKED.includes(kind);
      if (!isAsked) return undefined;
      lastId += 1;
      const update = { update_id: lastId, [kind]: body };
      if (settings.url !== "") return send(update, kind);
      pending.push(update);
      return undefined;
    },
    setWebhook({ fields }) {
      const url = textOf(fields["url"]) ?? "";
      if (url !== "") checkUrl(url);
      const connections = fields["max_connections"];
      if (connections !== undefined && exceeds(LIMITS.maxConnections, Number(connections))) {
        throw badRequest("bad webhook: max_connections must be between 1 and 100");
      }
      const { allowed_updates: allowed } = fields;
      settings = {
        url,
        secretToken: secretToken(fields),
        allowed: allowedUpdates(allowed, settings.allowed),
      };
      if (fields["drop_pending_updates"] === true) pending = [];
      if (url === "") return true;
      const waiting = pending;
      pending = [];
      for (const update of waiting) void send(update, Object.keys(update)[1] ?? "update");
      return true;
    },
    deliverTo(url, secret) {
      settings = { ...settings, url, secretToken: secret };
    },
    deleteWebhook({ fields }) {
      settings = { ...settings, url: "", secretToken: undefined };
      if (fields["drop_pending_updates"] === true) pending = [];
      return true;
    },
    getWebhookInfo: () => ({
      url: settings.url,
      has_custom_certificate: false,
      pending_update_count: pending.length,
      max_connections: 40,
      ...(settings.allowed === undefined ? {} : { allowed_updates: settings.allowed }),
    }),
    getUpdates({ fields }) {
      if (settings.url !== "") {
        throw new TelegramRefusal(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        );
      }
      const offset = Number(fields["offset"] ?? 0);
      pending = pending.filter((update) => Number(update["update_id"]) >= offset);
      const count = Number(fields["limit"] ?? LIMITS.updatesAtOnce.max);
      return pending.slice(0, Math.min(Math.max(count, 1), LIMITS.updatesAtOnce.max));
    },
  };
}

function toRequest({ url, secretToken: secret }: Settings, update: Fields): WebhookRequest | undefined {
  if (url === "") return undefined;
  return {
    url,
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(secret === undefined ? {} : { "X-Telegram-Bot-Api-Secret-Token": secret }),
    },
    body: JSON.stringify(update),
  };
}

/** As of a local Bot API server, loopback may be plain HTTP on any port. */
function checkUrl(url: string): void {
  if (!URL.canParse(url)) throw badRequest("bad webhook: invalid webhook URL specified");
  const { protocol, hostname, port } = new URL(url);
  if (["127.0.0.1", "localhost", "[::1]"].includes(hostname)) return;
  if (protocol !== "https:") throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
  if (port !== "" && !WEBHOOK_PORTS.includes(port)) {
    throw badRequest("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443");
  }
}

function secretToken(fields: Fields): string | undefined {
  const secret = fields["secret_token"];
  if (secret === undefined || secret === "") return undefined;
  const text = textOf(secret) ?? "";
  if (exceeds(LIMITS.secretToken, text.length)) throw badRequest("secret token is too long");
  if (!/^[A-Za-z0-9_-]+$/.test(text)) throw badRequest("secret token contains unallowed characters");
  return text;
}

/** Left out, the setting before stays; an empty list is the usual kinds again. */
function allowedUpdates(
  given: unknown,
  before: readonly string[] | undefined,
): readonly string[] | undefined {
  if (given === undefined) return before;
  if (!Array.isArray(given)) throw badRequest("can't parse allowed updates");
  const kinds = given.filter((kind): kind is string => typeof kind === "string");
  return kinds.length === 0 ? undefined : kinds;
}
