import { InterludeError, type Json, jsonSchemaOf, type Resolution } from "@interlude/sdk";
import type { GraphAsk, GraphAskExternal, StoredAsk } from "./asks.ts";

/** By this an interrupt is known as ours; everybody else's are left alone. */
const MARK = "interlude:asks";

/** What an interrupt of ours carries: one question, or several that are asked at once by one step. */
export type AskPayload = Readonly<{ [MARK]: readonly StoredAsk[] }>;

/** What it is resumed with: how each of them ended. */
export type AnswerPayload = Readonly<{ resolutions: readonly Resolution[] }>;

const NOT_HERE = ["id", "mode", "timeoutSeconds", "signal", "reservation", "key"];
const WITH_OFFSET = /(?:[Zz]|[+-]\d\d:\d\d)$/;

export function payloadOf(asks: readonly StoredAsk[]): AskPayload {
  return { [MARK]: asks };
}

/** The questions of an interrupt's value; undefined when it is not ours. */
export function asksIn(value: unknown): readonly StoredAsk[] | undefined {
  if (typeof value !== "object" || value === null || !(MARK in value)) return undefined;
  const asks: unknown = value[MARK];
  return Array.isArray(asks) && asks.every(isStoredAsk) ? asks : undefined;
}

function isStoredAsk(value: unknown): value is StoredAsk {
  return typeof value === "object" && value !== null && "ask" in value && typeof value.ask === "object";
}

/** Checked in the step that asks, where its author sees it, and made of what a checkpoint keeps unchanged. */
export function storedAsk(ask: GraphAsk | GraphAskExternal, link?: string): StoredAsk {
  for (const name of NOT_HERE) {
    if (name in ask)
      throw invalid(name, "is not for questions of a graph: each is async, and has its id from the thread");
  }
  const schema = "schema" in ask && ask.schema !== undefined ? { schema: jsonSchemaOf(ask.schema) } : {};
  const plain = { ...ask, ...schema, expiryAt: instantOf(ask.expiryAt) };
  const copied = JSON.parse(JSON.stringify(plain)) as Record<string, Json>;
  return { ...(link === undefined ? {} : { link }), ask: copied };
}

function instantOf(expiryAt: Date | string | undefined): string {
  if (expiryAt === undefined)
    throw invalid("expiryAt", "is required: a run that waits without an end never ends");
  const isSaid = expiryAt instanceof Date || WITH_OFFSET.test(expiryAt);
  const at = new Date(expiryAt);
  if (!isSaid || Number.isNaN(at.getTime()))
    throw invalid("expiryAt", "must be a date, or RFC 3339 with an offset");
  return at.toISOString();
}

function invalid(path: string, message: string): InterludeError {
  return new InterludeError({
    code: "validation_failed",
    detail: "The question is not valid",
    errors: [{ path: `/${path}`, message }],
  });
}
