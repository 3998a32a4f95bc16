import { isJsonArray, isJsonObject, own, ownText, type Json, type JsonObject } from "./json.ts";

const STATUSES = ["pending", "answered", "expired", "cancelled", "failed"] as const;
export type Status = (typeof STATUSES)[number];
type AnswerFormat = "text" | "confirm" | "select" | "form" | "external";
type Option = { value: string; label: string };
export type Media = {
  kind: "image" | "document" | "video" | "audio" | "link";
  url: string;
  caption?: string;
  filename?: string;
};
export type FormPage = { title: string; properties: readonly string[] };

/** One question, as the list, the stream and the item door show it. */
export type Item = {
  interaction_id: string;
  group_id: string;
  asker: string;
  question: string;
  answer_format: AnswerFormat;
  options: readonly Option[];
  schema?: Json;
  values: JsonObject;
  choices: JsonObject;
  pages: readonly FormPage[];
  url?: string;
  status: Status;
  created_at: string;
  timeout_at: string;
  channel?: string;
  recipient?: string;
  audience?: string;
  media: readonly Media[];
  metadata: readonly (readonly [string, string])[];
  sensitive: boolean;
  server_verified: boolean;
  sequence: number;
  resolved_at?: string;
  answered_by?: string;
  answer?: Json;
};

const FORMATS: readonly string[] = ["text", "confirm", "select", "form", "external"];
const MEDIA_KINDS: readonly string[] = ["image", "document", "video", "audio", "link"];

function isFormat(value: unknown): value is AnswerFormat {
  return typeof value === "string" && FORMATS.includes(value);
}

export function isStatus(value: unknown): value is Status {
  return STATUSES.some((status) => status === value);
}

function isMediaKind(value: unknown): value is Media["kind"] {
  return typeof value === "string" && MEDIA_KINDS.includes(value);
}

function texts<Key extends string>(source: JsonObject, keys: readonly Key[]): { [K in Key]?: string } {
  const found: { [K in Key]?: string } = {};
  for (const key of keys) {
    const value = ownText(source, key);
    if (value !== undefined) found[key] = value;
  }
  return found;
}

function parseOption(value: Json): Option[] {
  if (typeof value === "string") return [{ value, label: value }];
  if (!isJsonObject(value)) return [];
  const text = ownText(value, "value");
  return text === undefined ? [] : [{ value: text, label: ownText(value, "label") ?? text }];
}

export function parseMedia(value: Json | undefined): Media[] {
  if (!isJsonArray(value)) return [];
  return value.flatMap((entry): Media[] => {
    if (!isJsonObject(entry)) return [];
    const kind = own(entry, "kind");
    const url = ownText(entry, "url");
    return isMediaKind(kind) && url !== undefined
      ? [{ kind, url, ...texts(entry, ["caption", "filename"]) }]
      : [];
  });
}

function parsePage(value: Json): FormPage[] {
  if (!isJsonObject(value)) return [];
  const properties = own(value, "properties");
  if (!isJsonArray(properties)) return [];
  return [
    {
      title: ownText(value, "title") ?? "",
      properties: properties.filter((name): name is string => typeof name === "string"),
    },
  ];
}

function list<T>(value: Json | undefined, parse: (entry: Json) => T[]): T[] {
  return isJsonArray(value) ? value.flatMap(parse) : [];
}

function object(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function parsePayload(
  payload: JsonObject,
): Pick<Item, "options" | "values" | "choices" | "pages" | "schema" | "url"> {
  const data = object(own(payload, "data"));
  const schema = own(payload, "schema");
  return {
    options: list(own(payload, "options"), parseOption),
    values: object(own(data, "values")),
    choices: object(own(data, "options")),
    pages: list(own(payload, "pages"), parsePage),
    ...(schema === undefined ? {} : { schema }),
    ...texts(payload, ["url"]),
  };
}

function parseEnd(value: JsonObject): Pick<Item, "resolved_at" | "answered_by" | "answer"> {
  const answer = own(value, "answer");
  return { ...texts(value, ["resolved_at", "answered_by"]), ...(answer === undefined ? {} : { answer }) };
}

/** `undefined` for what is no item: a newer server's oddity is left out rather than shown wrong. */
export function parseItem(value: Json | undefined): Item | undefined {
  if (!isJsonObject(value)) return undefined;
  const id = ownText(value, "interaction_id");
  const question = ownText(value, "question");
  const format = own(value, "answer_format");
  const status = own(value, "status");
  const sequence = own(value, "sequence");
  if (id === undefined || question === undefined || !isFormat(format) || !isStatus(status)) return undefined;
  return {
    interaction_id: id,
    group_id: ownText(value, "group_id") ?? "",
    asker: ownText(value, "asker") ?? "",
    question,
    answer_format: format,
    ...parsePayload(object(own(value, "format_payload"))),
    status,
    created_at: ownText(value, "created_at") ?? "",
    timeout_at: ownText(value, "expiry_at") ?? ownText(value, "timeout_at") ?? "",
    ...texts(value, ["channel", "recipient", "audience"]),
    media: parseMedia(own(value, "media")),
    metadata: Object.entries(object(own(value, "metadata"))).flatMap(([key, text]) =>
      typeof text === "string" ? [[key, text] as const] : [],
    ),
    sensitive: own(value, "sensitive") === true,
    server_verified: own(value, "server_verified") === true,
    sequence: typeof sequence === "number" ? sequence : 0,
    ...parseEnd(value),
  };
}
