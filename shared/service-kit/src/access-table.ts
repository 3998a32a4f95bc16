import type { Role } from "@interlude/domain";
import {
  asksForOwnRun,
  type ClaimScope,
  type ClaimUse,
  namesOwnClaim,
  namesOwnRun,
  type RunRequest,
} from "./claim-use.ts";

export type Access = "public" | "closed" | readonly Role[];

type Door = {
  access: Access;
  /** Only doors that read or answer may be opened by configuration. */
  openable: boolean;
  /** What the token of a claim is good for there; configuration cannot widen it. */
  claims: ClaimUse;
};

const door = (access: Access, { openable = false, claims = "never" }: Partial<Door> = {}): Door => ({
  access,
  openable,
  claims,
});

const ASKER = door(["asker", "operator"]);
const ASKER_IN_RUN = door(["asker", "operator"], { claims: "always" });
const ANSWERER: Access = ["answerer", "operator"];
const READER: Access = ["asker", "answerer", "operator"];
const OPERATOR = door(["operator"]);
const OPENABLE = { openable: true } as const;
const OPENABLE_IN_RUN = { openable: true, claims: "always" } as const;
/** Who comes is not looked at. */
const PUBLIC = door("public", { claims: "always" });

/**
 * Every door there is and who may use it: the one access table. Each process carries the whole of it,
 * so that 405, `Allow` and OPTIONS are the same wherever a request lands.
 */
const DOORS = {
  "POST /api/interactions": door(["asker", "operator"], { claims: asksForOwnRun }),
  "GET /api/interactions": door(READER, OPENABLE),
  "GET /api/interactions/stream": door(ANSWERER, OPENABLE),
  "POST /api/interactions/reservations": ASKER_IN_RUN,
  "POST /api/interactions/media": ASKER_IN_RUN,
  "GET /api/interactions/media/:mediaId": PUBLIC,
  "GET /api/interactions/callback/:ticket": PUBLIC,
  "POST /api/interactions/callback/:ticket": PUBLIC,
  "GET /api/interactions/:id": door(READER, OPENABLE_IN_RUN),
  "GET /api/interactions/:id/events": door(READER, OPENABLE_IN_RUN),
  "GET /api/interactions/:id/result": ASKER_IN_RUN,
  "DELETE /api/interactions/:id/result": ASKER_IN_RUN,
  "POST /api/interactions/:id/answer": door(ANSWERER, OPENABLE),
  "POST /api/interactions/:id/cancel": ASKER_IN_RUN,
  "POST /api/notifications": ASKER_IN_RUN,
  "GET /api/notifications": door(ANSWERER, OPENABLE),
  "GET /api/notifications/form/:token": PUBLIC,
  "POST /api/notifications/form/:token": PUBLIC,
  "GET /api/channels": door(ANSWERER, OPENABLE),
  "POST /api/channels/:channel/webhook": PUBLIC,
  "GET /api/channels/:channel/webhook": PUBLIC,
  "POST /api/drivers": ASKER,
  "POST /api/drivers/:name/claims": ASKER,
  "GET /api/runs": ASKER,
  "GET /api/runs/:driver/:runId": ASKER,
  "GET /api/runs/:driver/:runId/questions": ASKER,
  "GET /api/runs/:driver/:runId/events": ASKER,
  "POST /api/runs/:driver/:runId/park": door(["asker", "operator"], { claims: namesOwnRun }),
  "POST /api/runs/:driver/:runId/replay": ASKER,
  "POST /api/claims/:claimId/heartbeat": ASKER,
  "POST /api/claims/:claimId/complete": ASKER,
  "POST /api/claims/:claimId/fail": ASKER,
  "GET /api/claims/:claimId/resolutions": door(["asker", "operator"], { claims: namesOwnClaim }),
  "GET /api/me": door(READER),
  "POST /api/session/links": OPERATOR,
  "POST /api/session": PUBLIC,
  "DELETE /api/session": PUBLIC,
  "GET /api/session/oidc": PUBLIC,
  "GET /api/session/oidc/callback": PUBLIC,
  "GET /api/openapi.json": PUBLIC,
  "GET /healthz": PUBLIC,
  "GET /readyz": PUBLIC,
  "GET /metrics": OPERATOR,
  "GET /": PUBLIC,
  "GET /assets/:file": PUBLIC,
  "GET /q/:id": PUBLIC,
  "GET /signin": PUBLIC,
  "GET /signin/:token": PUBLIC,
  "GET /notifications": PUBLIC,
  "GET /runs": PUBLIC,
  "GET /runs/:driver/:runId": PUBLIC,
  "GET /favicon.svg": PUBLIC,
} as const satisfies Record<string, Door>;

export type DoorName = keyof typeof DOORS;

export type AccessTable = ReadonlyMap<DoorName, Access>;

export const DOOR_NAMES: readonly DoorName[] = Object.keys(DOORS).filter(isDoorName);

function isDoorName(name: string): name is DoorName {
  return Object.hasOwn(DOORS, name);
}

/** Overrides by door name; a door that changes something else than an answer cannot be opened. */
export function accessTable(
  overrides: ReadonlyMap<string, Access> = new Map(),
): { ok: true; table: AccessTable } | { ok: false; faults: string[] } {
  const table = new Map<DoorName, Access>(DOOR_NAMES.map((name) => [name, DOORS[name].access]));
  const faults: string[] = [];
  for (const [name, access] of overrides) {
    if (!isDoorName(name)) faults.push(`${name}: no such door`);
    else if (access === "public" && DOORS[name].access !== "public" && !DOORS[name].openable) {
      faults.push(`${name}: only a door that reads or answers may be made public`);
    } else table.set(name, access);
  }
  return faults.length === 0 ? { ok: true, table } : { ok: false, faults };
}

/**
 * Whether the token of this claim may use the door; with `request`, also whether what it asks for there keeps to
 * the claim's run, which for some doors only the body tells.
 */
export function mayUseInRun(name: DoorName, scope: ClaimScope, request?: RunRequest): boolean {
  const use: ClaimUse = DOORS[name].claims;
  if (typeof use !== "function") return use === "always";
  return request === undefined || use(request, scope);
}
