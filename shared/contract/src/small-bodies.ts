import type { Json } from "@interlude/kernel";
import { z } from "zod";
import { CAPS } from "./caps.ts";
import { check, fault } from "./check.ts";
import { text } from "./fields.ts";
import type { Parsed } from "./parsed.ts";

export const CancelBodySchema = z.strictObject({
  reason: text({ min: 0, max: CAPS.REASON_MAX_CODE_POINTS }).exactOptional(),
});
export type CancelBody = Readonly<{ reason?: string }>;

/** A cancel may come without a body. */
export function parseCancelBody(body: Json | undefined): Parsed<CancelBody> {
  return check(CancelBodySchema, body ?? {});
}

export const EmptyBodySchema = z.strictObject({});

/** Of a door that has nothing to be told yet: no body and `{}` are the same. */
export function parseEmptyBody(body: Json | undefined): Parsed<Record<string, never>> {
  return check(EmptyBodySchema, body ?? {});
}

const Credential = text({ max: 4096 });
export const SessionBodySchema = z.strictObject({
  link: Credential.exactOptional(),
  key: Credential.exactOptional(),
});
export type SessionBody = Readonly<{ kind: "link" | "key"; secret: string }>;

/** What to sign in with: a one-time link's token or an API key, exactly one. */
export function parseSessionBody(body: Json): Parsed<SessionBody> {
  const parsed = check(SessionBodySchema, body);
  if (!parsed.ok) return parsed;
  const { link, key } = parsed.value;
  if (link !== undefined && key === undefined) return { ok: true, value: { kind: "link", secret: link } };
  if (key !== undefined && link === undefined) return { ok: true, value: { kind: "key", secret: key } };
  return { ok: false, faults: [fault([], "must have either link or key")] };
}
