import { isJson, isJsonObject, type Json, type JsonObject } from "../json.ts";
import {
  count,
  type Fields,
  fieldsOf,
  flag,
  list,
  oneOf,
  optionalText,
  present,
  text,
  textRecord,
  texts,
} from "./fields.ts";

export const ANSWER_FORMATS = ["text", "confirm", "select", "form", "external"] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

export const STATUSES = ["pending", "answered", "expired", "cancelled", "failed"] as const;
export type InteractionStatus = (typeof STATUSES)[number];

export type Option = string | Readonly<{ value: string; label?: string | undefined }>;

export const MEDIA_KINDS = ["image", "document", "video", "audio", "link"] as const;
export type Media = Readonly<{
  kind: (typeof MEDIA_KINDS)[number];
  url: string;
  caption?: string | undefined;
  filename?: string | undefined;
}>;

export type FormPage = Readonly<{ title: string; properties: readonly string[] }>;

export type Item = Readonly<{
  interactionId: string;
  groupId: string;
  asker: string;
  question: string;
  answerFormat: AnswerFormat;
  formatPayload: Readonly<{
    options?: readonly Option[] | undefined;
    schema?: JsonObject | undefined;
    data?: JsonObject | undefined;
    pages?: readonly FormPage[] | undefined;
    url?: string | undefined;
  }>;
  status: InteractionStatus;
  mode: "sync" | "async";
  createdAt: string;
  timeoutAt: string;
  expiryAt?: string | undefined;
  channel?: string | undefined;
  recipient?: string | undefined;
  audience?: string | undefined;
  media?: readonly Media[] | undefined;
  sensitive: boolean;
  serverVerified: boolean;
  metadata?: Readonly<Record<string, string>> | undefined;
  delivery?: Readonly<{ state: string; attempts: number; lastError?: string | undefined }> | undefined;
  sequence: number;
  resolvedAt?: string | undefined;
  answeredBy?: string | undefined;
  answer?: Json | undefined;
}>;

function optionOf(value: unknown): Option {
  if (typeof value === "string") return value;
  const fields = fieldsOf(value, "option");
  return present({ value: text(fields, "value"), label: optionalText(fields, "label") });
}

function pageOf(value: unknown): FormPage {
  const fields = fieldsOf(value, "page");
  return { title: text(fields, "title"), properties: texts(fields, "properties") };
}

function mediaOf(value: unknown): Media {
  const fields = fieldsOf(value, "media");
  return present({
    kind: oneOf(fields, "kind", MEDIA_KINDS),
    url: text(fields, "url"),
    caption: optionalText(fields, "caption"),
    filename: optionalText(fields, "filename"),
  });
}

function payloadOf(fields: Fields): Item["formatPayload"] {
  const { schema, data } = fields;
  return present({
    options: fields["options"] === undefined ? undefined : list(fields, "options").map(optionOf),
    schema: isJsonObject(schema) ? schema : undefined,
    data: isJsonObject(data) ? data : undefined,
    pages: fields["pages"] === undefined ? undefined : list(fields, "pages").map(pageOf),
    url: optionalText(fields, "url"),
  });
}

function deliveryOf(value: unknown): Item["delivery"] {
  if (value === undefined) return undefined;
  const fields = fieldsOf(value, "delivery");
  return present({
    state: text(fields, "state"),
    attempts: count(fields, "attempts"),
    lastError: optionalText(fields, "last_error"),
  });
}

/** An item of the contract, in this client's names; what a person or program wrote is carried untouched. */
export function itemOf(value: unknown): Item {
  const fields = fieldsOf(value, "item");
  const answer = fields["answer"];
  return present({
    interactionId: text(fields, "interaction_id"),
    groupId: text(fields, "group_id"),
    asker: text(fields, "asker"),
    question: text(fields, "question"),
    answerFormat: oneOf(fields, "answer_format", ANSWER_FORMATS),
    formatPayload: payloadOf(fieldsOf(fields["format_payload"] ?? {}, "format_payload")),
    status: oneOf(fields, "status", STATUSES),
    mode: oneOf(fields, "mode", ["sync", "async"]),
    createdAt: text(fields, "created_at"),
    timeoutAt: text(fields, "timeout_at"),
    expiryAt: optionalText(fields, "expiry_at"),
    channel: optionalText(fields, "channel"),
    recipient: optionalText(fields, "recipient"),
    audience: optionalText(fields, "audience"),
    media: fields["media"] === undefined ? undefined : list(fields, "media").map(mediaOf),
    sensitive: flag(fields, "sensitive"),
    serverVerified: flag(fields, "server_verified"),
    metadata: textRecord(fields, "metadata"),
    delivery: deliveryOf(fields["delivery"]),
    sequence: count(fields, "sequence"),
    resolvedAt: optionalText(fields, "resolved_at"),
    answeredBy: optionalText(fields, "answered_by"),
    answer: isJson(answer) ? answer : undefined,
  });
}
