import type { Role } from "@interlude/domain";

export type Access = "public" | "closed" | readonly Role[];

type Door = {
  access: Access;
  /** Only doors that read or answer may be opened by configuration. */
  openable: boolean;
};

const door = (access: Access, openable = false): Door => ({ access, openable });

const ASKER = door(["asker", "operator"]);
const ANSWERER: Access = ["answerer", "operator"];
const READER: Access = ["asker", "answerer", "operator"];
const OPERATOR = door(["operator"]);
const PUBLIC = door("public");

/**
 * Every door there is and who may use it: the one access table. Each process carries the whole of it,
 * so that 405, `Allow` and OPTIONS are the same wherever a request lands.
 */
const DOORS = {
  "POST /api/interactions": ASKER,
  "GET /api/interactions": door(READER, true),
  "GET /api/interactions/stream": door(ANSWERER, true),
  "POST /api/interactions/reservations": ASKER,
  "POST /api/interactions/media": ASKER,
  "GET /api/interactions/media/:mediaId": PUBLIC,
  "GET /api/interactions/callback/:ticket": PUBLIC,
  "POST /api/interactions/callback/:ticket": PUBLIC,
  "GET /api/interactions/:id": door(READER, true),
  "GET /api/interactions/:id/events": door(READER, true),
  "GET /api/interactions/:id/result": door(["asker", "operator"]),
  "DELETE /api/interactions/:id/result": ASKER,
  "POST /api/interactions/:id/answer": door(ANSWERER, true),
  "POST /api/interactions/:id/cancel": door(["asker", "operator"]),
  "POST /api/notifications": ASKER,
  "GET /api/notifications": door(ANSWERER, true),
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
