import { isJson, type Json } from "../json.ts";
import {
  type Fields,
  fieldsOf,
  oneOf,
  optionalText,
  present,
  text,
  textRecord,
  unexpected,
} from "./fields.ts";
import { STATUSES } from "./item.ts";

export type AnsweredResult = Readonly<{
  interactionId: string;
  status: "answered";
  answer: Json;
  params?: Readonly<Record<string, string>> | undefined;
  answeredBy: string;
  answeredAt: string;
}>;

export type EndedResult = Readonly<{
  interactionId: string;
  status: "expired" | "cancelled" | "failed";
  reason?: string | undefined;
}>;

export type Result = AnsweredResult | EndedResult | Readonly<{ interactionId: string; status: "pending" }>;

function answeredOf(fields: Fields, interactionId: string): AnsweredResult {
  const answer = fields["answer"];
  if (!isJson(answer)) throw unexpected("answer is missing");
  return present({
    interactionId,
    status: "answered",
    answer,
    params: textRecord(fields, "params"),
    answeredBy: text(fields, "answered_by"),
    answeredAt: text(fields, "answered_at"),
  });
}

/** The status alone says how a question ended: an answer may be `false`, `null` or empty and is one all the same. */
export function resultOf(value: unknown, interactionId: string): Result {
  const fields = fieldsOf(value, "result");
  const status = oneOf(fields, "status", STATUSES);
  if (status === "pending") return { interactionId, status };
  if (status === "answered") return answeredOf(fields, interactionId);
  return present({ interactionId, status, reason: optionalText(fields, "reason") });
}
