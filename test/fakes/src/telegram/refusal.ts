import type { Answer } from "../core/exchange.ts";

export type ResponseParameters = Readonly<{ retry_after?: number; migrate_to_chat_id?: number }>;

/** What Telegram answers instead of doing it. */
export class TelegramRefusal extends Error {
  override readonly name = "TelegramRefusal";
  readonly status: number;
  readonly parameters: ResponseParameters | undefined;

  constructor(status: number, description: string, parameters?: ResponseParameters) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }
}

export function badRequest(reason: string): TelegramRefusal {
  return new TelegramRefusal(400, `Bad Request: ${reason}`);
}

export function refusalAnswer(status: number, description: string, parameters?: ResponseParameters): Answer {
  const body = {
    ok: false,
    error_code: status,
    description,
    ...(parameters === undefined ? {} : { parameters }),
  };
  const wait = parameters?.retry_after;
  return { status, body, ...(wait === undefined ? {} : { headers: { "retry-after": String(wait) } }) };
}
