import { providerFetch, type ProviderRequest, type SendOutcome } from "@interlude/channel-kit";
import { type JsonObject, ServiceFailure } from "@interlude/kernel";
import { Api } from "grammy";
import type { TelegramConfig } from "./config.ts";
import { failedOutcome, migratedTo, sentOutcome } from "./outcome.ts";

export type TelegramSend = Readonly<{ config: TelegramConfig; timeoutMs: number }>;

/** The operations that renderings are made of. */
const METHODS = [
  "sendMessage",
  "sendPhoto",
  "sendDocument",
  "sendVideo",
  "sendAudio",
  "editMessageText",
  "editMessageReplyMarkup",
  "answerCallbackQuery",
] as const;

function clientFor(signal: AbortSignal, { config, timeoutMs }: TelegramSend): Api {
  return new Api(config.botToken, {
    apiRoot: config.apiUrl.replace(/\/$/, ""),
    // The client's own fetch loses statuses and puts the token into its errors.
    fetch: providerFetch({ timeoutMs, signal, readsLimits: true }),
    baseFetchConfig: {},
  });
}

async function call(api: Api, method: string, body: JsonObject): Promise<unknown> {
  const known = METHODS.find((each) => each === method);
  if (known === undefined) {
    throw new ServiceFailure("invariant_broken", { retry: "never", message: `telegram has no ${method}` });
  }
  // The bodies are made in this package, and their golden files are what is checked.
  return api.raw[known](body as never);
}

/** One attempt, and one more where a group has become another chat: the first has then not arrived. */
export async function sendTelegram(
  { method, body }: ProviderRequest,
  signal: AbortSignal,
  sending: TelegramSend,
): Promise<SendOutcome> {
  const api = clientFor(signal, sending);
  const { botToken } = sending.config;
  try {
    return sentOutcome(await call(api, method, body), body);
  } catch (error) {
    const moved = migratedTo(error);
    if (moved === undefined) return failedOutcome(error, body, botToken);
    const again = { ...body, chat_id: moved };
    try {
      return sentOutcome(await call(api, method, again), again);
    } catch (second) {
      return failedOutcome(second, again, botToken);
    }
  }
}

/** Tells Telegram where to deliver, and with which secret. */
export async function setTelegramWebhook(
  url: string,
  signal: AbortSignal,
  sending: TelegramSend,
): Promise<void> {
  const { webhookSecret, botToken } = sending.config;
  const body = { url, allowed_updates: ["message" as const, "callback_query" as const] };
  try {
    await clientFor(signal, sending).raw.setWebhook({ ...body, secret_token: webhookSecret });
  } catch (error) {
    const outcome = failedOutcome(error, body, botToken);
    const isRefused = outcome.kind === "rejected";
    const reason = "reason" in outcome ? outcome.reason : outcome.kind;
    throw new ServiceFailure(isRefused ? "configuration_invalid" : "server_failed", {
      retry: isRefused ? "never" : "later",
      message: `telegram did not take the webhook: ${reason}`,
    });
  }
}
