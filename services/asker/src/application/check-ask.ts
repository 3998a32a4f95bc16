import type { Ask, FieldFault } from "@interlude/contract";
import { checkOverlay } from "@interlude/forms";
import { compileSchema } from "@interlude/json-schema";
import { checkVerifierConfig } from "@interlude/secrets";

/** What of an ask's faults the body alone decides beyond its shape: schemas, overlay, verifier. */
export function checkAskContent(ask: Ask): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  if ((ask.answer_format === "form" || ask.answer_format === "external") && ask.schema !== undefined) {
    const compiled = compileSchema(ask.schema);
    if (!compiled.ok) {
      return compiled.faults.map(({ path, message }) => ({ path: `/schema${path}`, message }));
    }
  }
  if (ask.answer_format === "form") faults.push(...checkOverlay(ask.schema, ask.data, ask.pages));
  if (ask.answer_format === "external" && ask.verifier !== undefined) {
    faults.push(
      ...checkVerifierConfig(ask.verifier).map(({ path, message }) => ({
        path: `/verifier${path}`,
        message,
      })),
    );
  }
  return faults;
}

/** What this deployment has and knows at the moment of asking. */
export type Surroundings = {
  nowMs: number;
  deadlineMs: number;
  publicBaseUrl: string | undefined;
  hasSecret: (name: string) => boolean;
  /** Registered channels and drivers, by name. */
  channels: ReadonlySet<string>;
  drivers: ReadonlySet<string>;
};

const HUNDRED_YEARS_MS = 100 * 365.25 * 86_400_000;

/** Faults that depend on the time, the settings, or what is registered. */
export function checkAskSurroundings(ask: Ask, around: Surroundings): readonly FieldFault[] {
  return [
    ...checkDeadline(ask, around),
    ...checkRun(ask, around),
    ...checkChannel(ask, around),
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

function checkRun(ask: Ask, { drivers }: Surroundings): FieldFault[] {
  if (ask.mode !== "async" || drivers.has(ask.run.driver)) return [];
  const message = `run.driver: no driver named ${JSON.stringify(ask.run.driver)} is registered, so nothing could resume this run`;
  return [{ path: "/run/driver", message }];
}

function checkChannel(ask: Ask, { channels }: Surroundings): FieldFault[] {
  if (ask.channel === undefined || channels.has(ask.channel)) return [];
  return [
    { path: "/channel", message: `channel: no channel named ${JSON.stringify(ask.channel)} is registered` },
  ];
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
