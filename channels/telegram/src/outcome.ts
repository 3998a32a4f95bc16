import {
  AnswerFault,
  brokenOutcome,
  RETRY_AFTER_DEFAULT_MS,
  type SendOutcome,
  toldReason,
} from "@interlude/channel-kit";
import type { JsonObject } from "@interlude/kernel";
import { GrammyError, HttpError } from "grammy";
import { z } from "zod";

const Sent = z.object({ message_id: z.number().int(), chat: z.object({ id: z.number().int() }) });

/** What was asked for is already so, or nobody waits for it any more. */
const DONE_ALREADY = /message is not modified|query is too old|QUERY_ID_INVALID/i;

/** Operations that make no message answer `true`: then it is the message that they were about. */
export function sentOutcome(result: unknown, body: JsonObject): SendOutcome {
  const parsed = Sent.safeParse(result);
  if (parsed.success) {
    return { kind: "sent", messageId: String(parsed.data.message_id), address: String(parsed.data.chat.id) };
  }
  if (result === true) return doneOutcome(body);
  return { kind: "unknown", reason: "an answer without a message id" };
}

function doneOutcome(body: JsonObject): SendOutcome {
  const about = body["message_id"];
  return { kind: "sent", messageId: typeof about === "number" ? String(about) : "" };
}

/** Group chats have limits of their own; the others share the bot's. */
function limited(error: GrammyError, body: JsonObject): SendOutcome {
  const seconds = error.parameters.retry_after;
  const chat = body["chat_id"];
  return {
    kind: "rate_limited",
    retryAfterMs: seconds === undefined ? RETRY_AFTER_DEFAULT_MS : seconds * 1_000,
    scope: typeof chat === "number" && chat < 0 ? "conversation" : "channel",
  };
}

/** Where a group has become another chat; what was sent to it has not arrived. */
export function migratedTo(error: unknown): number | undefined {
  return error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined;
}

/** What an error of the client comes to. Its messages and inner errors hold the address, and that the token. */
export function failedOutcome(error: unknown, body: JsonObject, botToken: string): SendOutcome {
  if (error instanceof GrammyError) {
    if (error.error_code === 429) return limited(error, body);
    if (error.error_code >= 500) return { kind: "unknown", reason: `error ${error.error_code}` };
    if (DONE_ALREADY.test(error.description)) return doneOutcome(body);
    const reason = toldReason(error.description, [botToken]);
    const code = String(error.error_code);
    return { kind: "rejected", reason, code, ...(code === "401" ? { refusesUs: true } : {}) };
  }
  const inner = error instanceof HttpError ? error.error : error;
  if (inner instanceof AnswerFault) return inner.outcome;
  if (inner instanceof SyntaxError) return { kind: "unknown", reason: "an answer that is no JSON" };
  return brokenOutcome(inner);
}
