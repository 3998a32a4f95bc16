import {
  type Ask,
  type DriverRegisteredData,
  type FieldFault,
  formatInstant,
  type FormData,
  type FormPage,
} from "@interlude/contract";
import { checkOverlay } from "@interlude/forms";
import { compileSchema } from "@interlude/json-schema";
import type { JsonObject } from "@interlude/kernel";
import { checkVerifierConfig } from "@interlude/secrets";

/** What of an ask's faults the body alone decides beyond its shape: schemas, overlay, verifier. */
export function checkAskContent(ask: Ask): readonly FieldFault[] {
  if (ask.answer_format === "form") return checkForm(ask);
  if (ask.answer_format !== "external") return [];
  const faults = ask.schema === undefined ? [] : schemaFaults(ask.schema);
  if (faults.length > 0 || ask.verifier === undefined) return faults;
  return checkVerifierConfig(ask.verifier).map(({ path, message }) => ({
    path: `/verifier${path}`,
    message,
  }));
}

type FormParts = Readonly<{ schema: JsonObject; data?: FormData; pages?: readonly FormPage[] }>;

/** A form as a question and a notification have it: its schema, and what is laid over it. */
export function checkForm({ schema, data, pages }: FormParts): readonly FieldFault[] {
  const faults = schemaFaults(schema);
  return faults.length > 0 ? faults : checkOverlay(schema, data, pages);
}

function schemaFaults(schema: JsonObject): readonly FieldFault[] {
  const compiled = compileSchema(schema);
  if (compiled.ok) return [];
  return compiled.faults.map(({ path, message }) => ({ path: `/schema${path}`, message }));
}

/** What this deployment has and knows at the moment of asking. */
export type Surroundings = {
  /** The id that the question will have. */
  id: string;
  nowMs: number;
  deadlineMs: number;
  publicBaseUrl: string | undefined;
  hasSecret: (name: string) => boolean;
  /** Why its channel is none of this deployment's, where that is so. */
  channelFaults: readonly FieldFault[];
  /** The driver of an async ask's run, where it is registered and the asker's own. */
  driver: DriverRegisteredData | undefined;
};

const HUNDRED_YEARS_MS = 100 * 365.25 * 86_400_000;

/** Faults that depend on the time, the settings, or what is registered. */
export function checkAskSurroundings(ask: Ask, around: Surroundings): readonly FieldFault[] {
  return [
    ...checkDeadline(ask, around),
    ...checkRun(ask, around),
    ...checkRetention(ask, around),
    ...around.channelFaults,
    ...checkPublicAddress(ask, around),
    ...checkSecret(ask, around),
  ];
}

function checkDeadline(ask: Ask, { nowMs, deadlineMs }: Surroundings): FieldFault[] {
  if (ask.mode !== "async") return [];
  if (deadlineMs <= nowMs) return [{ path: "/expiry_at", message: "expiry_at must lie in the future" }];
  if (deadlineMs - nowMs <= HUNDRED_YEARS_MS) return [];
  return [{ path: "/expiry_at", message: "expiry_at must lie within 100 years" }];
}

/** Somebody else's driver is none: that it is there is nobody's to know. */
function checkRun(ask: Ask, { driver }: Surroundings): FieldFault[] {
  if (ask.mode !== "async" || driver !== undefined) return [];
  const message = `run.driver: no driver of yours named ${JSON.stringify(ask.run.driver)} is registered, so nothing could resume this run`;
  return [{ path: "/run/driver", message }];
}

/** An answer that may come when the run's checkpoint is gone would resume nothing. */
function checkRetention(ask: Ask, { id, nowMs, deadlineMs, driver }: Surroundings): FieldFault[] {
  const seconds = driver?.checkpointer.retention_seconds;
  if (ask.mode !== "async" || seconds === undefined) return [];
  const horizonMs = nowMs + seconds * 1_000;
  if (deadlineMs <= horizonMs) return [];
  const [expiryAt, horizon] = [formatInstant(deadlineMs), formatInstant(horizonMs)];
  const message = `expiry_at ${expiryAt} of interaction ${id} lies beyond ${horizon}, until when the checkpointer of driver ${JSON.stringify(ask.run.driver)} keeps the run`;
  return [{ path: "/expiry_at", message }];
}

function checkPublicAddress(ask: Ask, { publicBaseUrl }: Surroundings): FieldFault[] {
  if (publicBaseUrl !== undefined) return [];
  if (ask.answer_format !== "external" && ask.channel === undefined) return [];
  const path = ask.answer_format === "external" ? "/answer_format" : "/channel";
  return [{ path, message: "this needs a public address: set INTERACTIONS_PUBLIC_BASE_URL" }];
}

function checkSecret(ask: Ask, { hasSecret }: Surroundings): FieldFault[] {
  if (ask.answer_format !== "external" || ask.verifier === undefined) return [];
  const name = ask.verifier.config["secret_ref"];
  if (typeof name !== "string" || hasSecret(name)) return [];
  return [
    { path: "/verifier/config/secret_ref", message: "secret_ref names no secret of INTERLUDE_SECRETS_FILE" },
  ];
}
