import type { Json, JsonObject } from "@interlude/kernel";
import { ANSWER_FORMATS, type AnswerFormat } from "./ask.ts";
import { fault } from "./check.ts";
import { checkCallerId, idShapeFault } from "./ids.ts";
import { parseInstant } from "./instant.ts";
import { hasCallbackPlaceholder, linkFault } from "./link.ts";
import type { FieldFault } from "./parsed.ts";

/** Which formats a field is for; a field that is not here is for all. */
const FORMATS_OF = {
  options: ["select", "text"],
  schema: ["form", "external"],
  data: ["form"],
  pages: ["form"],
  link: ["external"],
  verifier: ["external"],
} as const satisfies Record<string, readonly AnswerFormat[]>;

const CHANNEL_ONLY = ["recipient", "on_mismatch", "mismatch_notice"] as const;

function has(body: JsonObject, field: string): boolean {
  return Object.hasOwn(body, field);
}

/** The format that was meant; undefined when it is none, and then no rule about formats can be told. */
function formatOf(value: Json | undefined): AnswerFormat | undefined {
  return value === undefined ? "text" : ANSWER_FORMATS.find((format) => format === value);
}

function formatRules(body: JsonObject): FieldFault[] {
  const format = formatOf(body["answer_format"]);
  if (format === undefined) return [];
  const faults: FieldFault[] = [];
  for (const [field, formats] of Object.entries(FORMATS_OF)) {
    if (has(body, field) && !formats.some((allowed) => allowed === format)) {
      faults.push(fault([field], `is only for answer_format ${formats.join(" and ")}, not ${format}`));
    }
  }
  if (format === "select" && !has(body, "options")) faults.push(fault(["options"], "is required for select"));
  if (format === "form" && !has(body, "schema")) faults.push(fault(["schema"], "is required for form"));
  return format === "external" ? [...faults, ...externalRules(body)] : faults;
}

function externalRules(body: JsonObject): FieldFault[] {
  const faults: FieldFault[] = [];
  const { link } = body;
  if (link === undefined && !has(body, "channel")) {
    faults.push(fault(["link"], "is required for external without a channel"));
  }
  // Without a link the callback page is what the person gets, and a page cannot sign.
  if (link === undefined && has(body, "channel") && has(body, "verifier")) {
    faults.push(fault(["verifier"], "needs a link: the callback page of a channel cannot sign"));
  }
  if (typeof link !== "string") return faults;
  const wrong = linkFault(link);
  if (wrong !== undefined) faults.push(fault(["link"], wrong));
  return faults;
}

function modeRules(body: JsonObject): FieldFault[] {
  const faults: FieldFault[] = [];
  const mode = body["mode"] ?? "sync";
  if (has(body, "timeout_seconds") && has(body, "expiry_at")) {
    faults.push(fault(["timeout_seconds"], "and expiry_at are mutually exclusive"));
  }
  if (mode === "sync") {
    for (const field of ["expiry_at", "run"]) {
      if (has(body, field)) faults.push(fault([field], "is only for mode async"));
    }
  } else if (mode === "async") {
    if (has(body, "timeout_seconds")) faults.push(fault(["timeout_seconds"], "is only for mode sync"));
    for (const field of ["expiry_at", "run"]) {
      if (!has(body, field)) faults.push(fault([field], "is required for mode async"));
    }
  }
  const expiry = body["expiry_at"];
  if (typeof expiry === "string" && parseInstant(expiry) === undefined) {
    faults.push(fault(["expiry_at"], "must be an RFC 3339 time with Z or an offset"));
  }
  return faults;
}

function channelRules(body: JsonObject): FieldFault[] {
  if (has(body, "channel")) return [];
  return CHANNEL_ONLY.filter((field) => has(body, field)).map((field) => fault([field], "needs a channel"));
}

export type ReservationCheck = (id: string) => boolean;

/** A reservation's link may already hold its callback URL; which one that is, only its maker knows. */
function idRules(body: JsonObject, isReservation: ReservationCheck): FieldFault[] {
  const { id, link } = body;
  const reserved = typeof id === "string" && isReservation(id);
  const faults: FieldFault[] = [];
  if (typeof id === "string") {
    const wrong = reserved ? idShapeFault(id) : checkCallerId(id);
    if (wrong !== undefined) faults.push(fault(["id"], wrong));
  }
  if (typeof link === "string" && !reserved && !hasCallbackPlaceholder(link)) {
    faults.push(fault(["link"], "must hold {callback_url}"));
  }
  return faults;
}

/** The rules between fields; each looks at what is there, whatever else is wrong with the body. */
export function askRules(body: JsonObject, isReservation: ReservationCheck): FieldFault[] {
  return [...formatRules(body), ...modeRules(body), ...channelRules(body), ...idRules(body, isReservation)];
}
