import { contractBody, jsonText, NOTIFICATION_FIELDS } from "./ask/ask-body.ts";
import type { FormData } from "./ask/ask.ts";
import { DELIVERY_SECONDS } from "./ask/await-end.ts";
import { freshId } from "./ask/fresh-id.ts";
import type { Json } from "./json.ts";
import { call, interactionPath, type Session } from "./session.ts";
import type { AnySchema } from "./standard-schema.ts";
import { count, fieldsOf, oneOf, text } from "./wire/fields.ts";
import { type FormPage, type InteractionStatus, type Media, type Option, STATUSES } from "./wire/item.ts";

export type Notification = Readonly<{
  message: string;
  channel?: string | undefined;
  recipient?: string | undefined;
  audience?: string | undefined;
  media?: readonly Media[] | undefined;
  schema?: AnySchema | undefined;
  data?: FormData | undefined;
  pages?: readonly FormPage[] | undefined;
  options?: readonly Option[] | undefined;
  /** Names this notification for repetitions after a crash; by default each call is a notification of its own. */
  idempotencyKey?: string | undefined;
  /**
   * Over a channel: waits until the provider has taken it, 60 s at most, and rejects with `delivery_failed` where it
   * did not. By default what is stored is told of later.
   */
  delivered?: boolean | undefined;
}>;

export async function notify(session: Session, given: Notification): Promise<{ notificationId: string }> {
  const reply = await call(session, {
    method: "POST",
    path: "api/notifications",
    headers: {
      "idempotency-key": given.idempotencyKey ?? freshId(),
      ...(given.delivered === true ? { prefer: "delivered" } : {}),
    },
    ...(given.delivered === true ? { holdSeconds: DELIVERY_SECONDS } : {}),
    body: jsonText(contractBody(given, NOTIFICATION_FIELDS, ["idempotencyKey", "delivered"])),
  });
  return { notificationId: text(fieldsOf(reply.body, "notification"), "notification_id") };
}

export type Answered = Readonly<{
  interactionId: string;
  status: "answered";
  answeredBy: string;
  answeredAt: string;
  sequence: number;
}>;
export type AnswerOptions = Readonly<{
  params?: Readonly<Record<string, string>> | undefined;
  idempotencyKey?: string | undefined;
}>;

/** The key makes a repetition after a lost response a success, and another answer under it a conflict. */
export async function answerQuestion(
  session: Session,
  id: string,
  answer: Json,
  options: AnswerOptions = {},
): Promise<Answered> {
  const reply = await call(session, {
    method: "POST",
    path: interactionPath(id, "/answer"),
    headers: { "idempotency-key": options.idempotencyKey ?? freshId() },
    body: jsonText(options.params === undefined ? { answer } : { answer, params: options.params }),
  });
  const fields = fieldsOf(reply.body, "answer");
  return {
    interactionId: id,
    status: oneOf(fields, "status", ["answered"]),
    answeredBy: text(fields, "answered_by"),
    answeredAt: text(fields, "answered_at"),
    sequence: count(fields, "sequence"),
  };
}

export type Cancelled = Readonly<{ interactionId: string; status: InteractionStatus; sequence: number }>;

export async function cancelQuestion(session: Session, id: string, reason?: string): Promise<Cancelled> {
  const reply = await call(session, {
    method: "POST",
    path: interactionPath(id, "/cancel"),
    body: jsonText(reason === undefined ? {} : { reason }),
  });
  const fields = fieldsOf(reply.body, "cancel");
  return {
    interactionId: id,
    status: oneOf(fields, "status", STATUSES),
    sequence: count(fields, "sequence"),
  };
}

export type UploadedMedia = Readonly<{ url: string; contentType: string; size: number }>;

/** The service tells the type by the bytes; a repeated upload that nothing refers to goes after a day. */
export async function uploadMedia(
  session: Session,
  bytes: Blob | ArrayBuffer | Uint8Array,
  contentType?: string,
): Promise<UploadedMedia> {
  const blob =
    bytes instanceof Blob ? bytes : new Blob([bytes instanceof ArrayBuffer ? bytes : bytes.slice()]);
  const named = contentType ?? blob.type;
  const reply = await call(session, {
    method: "POST",
    path: "api/interactions/media",
    headers: { "content-type": named === "" ? "application/octet-stream" : named },
    body: blob,
  });
  const fields = fieldsOf(reply.body, "media");
  return { url: text(fields, "url"), contentType: text(fields, "content_type"), size: count(fields, "size") };
}
