import { isJsonObject, type Json } from "@interlude/kernel";
import { z } from "zod";
import { CAPS } from "./caps.ts";
import { check, countFault, fault } from "./check.ts";
import { anyJson, NameSchema, text } from "./fields.ts";
import type { Parsed } from "./parsed.ts";
import { webAddressFault } from "./web-address.ts";

const WebAddress = z.string().check((context) => {
  const wrong = webAddressFault(context.value, ["http", "https"]);
  if (wrong !== undefined) context.issues.push({ code: "custom", message: wrong, input: context.value });
});

export const DriverBodySchema = z.strictObject({
  name: NameSchema,
  checkpointer: z.strictObject({
    kind: z.enum(["postgres", "redis"], {
      error: "must be postgres or redis: any other is gone with its process, or not shared with the next one",
    }),
    retention_seconds: z.number().positive("must be more than 0").exactOptional(),
  }),
  deliver: z.strictObject({ url: WebAddress, secret_ref: text({ max: 256, visible: true }) }).exactOptional(),
});
export type DriverBody = Readonly<{
  name: string;
  checkpointer: Readonly<{ kind: "postgres" | "redis"; retention_seconds?: number }>;
  deliver?: Readonly<{ url: string; secret_ref: string }>;
}>;

export function parseDriverBody(body: Json): Parsed<DriverBody> {
  return check(DriverBodySchema, body);
}

export const ParkBodySchema = z.strictObject({
  interaction_ids: z.array(NameSchema).min(1).max(CAPS.PARK_MAX_IDS),
  park_id: NameSchema.exactOptional(),
});
export type ParkBody = Readonly<{ interaction_ids: readonly string[]; park_id?: string }>;

/** The ids of a park as they were sent: which of them are one's own is checked against the log. */
export function parseParkBody(body: Json): Parsed<ParkBody> {
  const ids = isJsonObject(body) ? body["interaction_ids"] : undefined;
  const count = ids === undefined ? undefined : countFault(ids, ["interaction_ids"], CAPS.PARK_MAX_IDS);
  return count === undefined ? check(ParkBodySchema, body) : { ok: false, faults: [count] };
}

export const CompleteBodySchema = z.strictObject({
  result: anyJson("What the run gave").exactOptional(),
  parked: z.boolean().meta({ description: "The run has parked and goes on later" }).exactOptional(),
});
export type CompleteBody = Readonly<{ result?: Json; parked?: boolean }>;

/** A completion may come without a body: a run can have nothing to say. */
export function parseCompleteBody(body: Json | undefined): Parsed<CompleteBody> {
  const parsed = check(CompleteBodySchema, body ?? {});
  if (parsed.ok && parsed.value.parked === true && parsed.value.result !== undefined) {
    return { ok: false, faults: [fault(["result"], "and parked are mutually exclusive")] };
  }
  return parsed;
}

export const FailBodySchema = z.strictObject({
  reason: text({ max: CAPS.REASON_MAX_CODE_POINTS }),
  retry: z.boolean(),
});
export type FailBody = Readonly<{ reason: string; retry: boolean }>;

export function parseFailBody(body: Json): Parsed<FailBody> {
  return check(FailBodySchema, body);
}
