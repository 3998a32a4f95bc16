import { isBodySigning, type Verifier } from "@interlude/secrets";
import { isIdentity, mediaTypeOf } from "@interlude/service-kit";
import { isJsonObject, type Json, type JsonObject, pointer } from "@interlude/kernel";
import { decodeFields } from "@interlude/forms";
import { fieldsToObject, type Decoded, type Fault, type Fields } from "./callback-fields.ts";

export type CallbackQuestion = {
  readonly answerFormat: "text" | "confirm" | "select" | "form" | "external";
  readonly verifier?: Verifier;
};

export type CallbackRequest = {
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
  readonly body: Uint8Array;
  /** The query as it came, with or without its question mark. */
  readonly query: string;
};

/** The rules that are one for all doors, given by whoever composes this one. */
export type CallbackRules = {
  /** A JSON body by the rules of every JSON body. */
  parseJson(body: Uint8Array): Decoded<Json>;
  /** A form page's fields, typed by the question's schema. */
  typeForm(fields: Fields): Decoded<Json>;
};

/** What a callback brought: an answer still to be held against the question, or why there is none. */
export type CallbackBody =
  | { readonly kind: "answer"; readonly answer: Json }
  | { readonly kind: "faults"; readonly faults: readonly Fault[] }
  | { readonly kind: "unsupported_media_type" };

/**
 * Reads a callback's body once its ticket and its verifier have passed. The answer is what was sent, never
 * whether something truthy was: `{}`, `false` and `""` are answers where their format allows them.
 */
export function readCallbackBody(
  question: CallbackQuestion,
  request: CallbackRequest,
  rules: CallbackRules,
): CallbackBody {
  const type = mediaTypeOf(request.contentType ?? undefined);
  // An empty body has no media type that could be wrong.
  if (request.body.byteLength === 0) return toBody(readEmpty(question, type, request.query, rules));
  if (!isIdentity(request.contentEncoding ?? undefined)) return UNSUPPORTED;
  if (type === "application/json") return toBody(readJson(question, request.body, rules));
  if (type !== FORM_TYPE || !takesFields(question)) return UNSUPPORTED;
  return toBody(readFields(question, request.body, rules));
}

const FORM_TYPE = "application/x-www-form-urlencoded";

/** Is the sender a browser that submitted one of our pages, and is owed a page in return? */
export function repliesWithPage(question: CallbackQuestion, contentType: string | null): boolean {
  return mediaTypeOf(contentType ?? undefined) === FORM_TYPE && question.verifier === undefined;
}

const UNSUPPORTED: CallbackBody = { kind: "unsupported_media_type" };

function readEmpty(
  { answerFormat, verifier }: CallbackQuestion,
  type: string,
  query: string,
  rules: CallbackRules,
): Decoded<Json> {
  // A form whose only box is left unticked is sent as no field at all, and answers "no".
  if (answerFormat === "form" && type === FORM_TYPE) return rules.typeForm([]);
  // A confirm's page posts its button; a program's bare POST of the link means yes. The query never answers.
  if (answerFormat === "confirm") return { ok: true, value: true };
  if (answerFormat !== "external") return fault("", 'the body must be a JSON object with "answer"');
  // The signature would cover no part of the query, which is thus anybody's to change.
  if (verifier !== undefined && isBodySigning(verifier))
    return fault("", "the body must not be empty: it is signed");
  const fields = decodeFields(query.replace(/^\?/, ""));
  return fields.ok ? { ok: true, value: fieldsToObject(fields.value) } : fields;
}

function readJson({ answerFormat }: CallbackQuestion, body: Uint8Array, rules: CallbackRules): Decoded<Json> {
  const parsed = rules.parseJson(body);
  if (!parsed.ok) return parsed;
  if (!isJsonObject(parsed.value)) return fault("", "the body must be a JSON object");
  return answerFormat === "external" ? parsed : takeAnswer(parsed.value);
}

function takeAnswer(body: JsonObject): Decoded<Json> {
  const unknown = Object.keys(body).filter((key) => key !== "answer");
  const faults = unknown.map((key) => ({
    path: pointer("", key),
    message: `${JSON.stringify(key)} is not a field of an answer`,
  }));
  // A null or false answer is there; only an absent one is missing.
  const { answer } = body;
  if (answer === undefined) faults.push({ path: "/answer", message: "answer is missing" });
  return answer === undefined || faults.length > 0 ? { ok: false, faults } : { ok: true, value: answer };
}

function takesFields({ answerFormat, verifier }: CallbackQuestion): boolean {
  if (answerFormat === "external") return verifier?.name === "slack";
  return answerFormat === "confirm" || answerFormat === "form";
}

function readFields(question: CallbackQuestion, body: Uint8Array, rules: CallbackRules): Decoded<Json> {
  const text = textOf(body);
  if (text === undefined) return fault("", "the body is not UTF-8");
  const fields = decodeFields(text);
  if (!fields.ok) return fields;
  if (question.answerFormat === "external") return readSlack(fields.value, rules);
  const repeated = repeatedNames(fields.value);
  if (repeated.length > 0) return { ok: false, faults: repeated };
  return question.answerFormat === "confirm" ? readConfirm(fields.value) : rules.typeForm(fields.value);
}

/** Slack sends interactions as JSON in one field, and slash commands as fields. */
function readSlack(fields: Fields, rules: CallbackRules): Decoded<Json> {
  const [payload, another] = fields.filter(([name]) => name === "payload");
  if (another !== undefined) return fault("/payload", "payload was sent twice");
  if (payload === undefined) return { ok: true, value: fieldsToObject(fields) };
  const parsed = rules.parseJson(Buffer.from(payload[1], "utf8"));
  if (!parsed.ok) {
    return { ok: false, faults: parsed.faults.map((each) => ({ ...each, path: `/payload${each.path}` })) };
  }
  return isJsonObject(parsed.value) ? parsed : fault("/payload", "payload must be a JSON object");
}

function readConfirm(fields: Fields): Decoded<Json> {
  const faults = fields
    .filter(([name]) => name !== "answer")
    .map(([name]) => ({
      path: pointer("", name),
      message: `${JSON.stringify(name)} is not a field of a confirm`,
    }));
  if (faults.length > 0) return { ok: false, faults };
  const value = fields[0]?.[1];
  if (value === "true") return { ok: true, value: true };
  if (value === "false") return { ok: true, value: false };
  return fault("/answer", value === undefined ? "answer is missing" : "answer must be true or false");
}

function repeatedNames(fields: Fields): Fault[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name] of fields) (seen.has(name) ? repeated : seen).add(name);
  return [...repeated].map((name) => ({
    path: pointer("", name),
    message: `${JSON.stringify(name)} was sent twice`,
  }));
}

function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

function fault(path: string, message: string): { ok: false; faults: readonly Fault[] } {
  return { ok: false, faults: [{ path, message }] };
}

function toBody(read: Decoded<Json>): CallbackBody {
  return read.ok ? { kind: "answer", answer: read.value } : { kind: "faults", faults: read.faults };
}
