import type { Json } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { accessTable, DOOR_NAMES, type DoorName, mayUseInRun } from "./access-table.ts";

describe("the access table", () => {
  it("leaves public only what the contract makes public", () => {
    const result = accessTable();
    if (!result.ok) throw new Error("the defaults are valid");
    const open = [...result.table].filter(([, access]) => access === "public").map(([name]) => name);
    const api = open.filter((name) => name.includes(" /api/"));
    expect(api).toEqual([
      "GET /api/interactions/media/:mediaId",
      "GET /api/interactions/callback/:ticket",
      "POST /api/interactions/callback/:ticket",
      "GET /api/notifications/form/:token",
      "POST /api/notifications/form/:token",
      "POST /api/channels/:channel/webhook",
      "GET /api/channels/:channel/webhook",
      "POST /api/session",
      "DELETE /api/session",
      "GET /api/session/oidc",
      "GET /api/session/oidc/callback",
      "GET /api/openapi.json",
    ]);
    expect(result.table.get("GET /metrics")).toEqual(["operator"]);
  });

  it.each(DOOR_NAMES)("%s may be closed", (name) => {
    const result = accessTable(new Map([[name, "closed"]]));
    expect(result.ok && result.table.get(name)).toBe("closed");
  });

  it("a door that reads or answers may be opened", () => {
    for (const name of ["GET /api/interactions", "POST /api/interactions/:id/answer"]) {
      expect(accessTable(new Map([[name, "public"]])).ok).toBe(true);
    }
  });

  it.each([
    "POST /api/interactions",
    "POST /api/session/links",
    "GET /metrics",
    "POST /api/interactions/:id/cancel",
  ])("%s cannot be opened", (name) => {
    expect(accessTable(new Map([[name, "public"]]))).toEqual({
      ok: false,
      faults: [expect.stringContaining(name)],
    });
  });

  it("names a door that does not exist", () => {
    expect(accessTable(new Map([["GET /api/nothing", "closed"]]))).toMatchObject({ ok: false });
  });
});

describe("the token of a claim", () => {
  const scope = { run: { driver: "bot", run_id: "r 1" }, claimId: "c-1" };
  const sent = (body: Json, params: Readonly<Record<string, string>> = {}) => ({
    body,
    param: (name: string) => params[name] ?? "",
  });
  const result = accessTable();
  const isPublic = (name: DoorName) => result.ok && result.table.get(name) === "public";

  it("opens what a run needs, and nothing else", () => {
    const open = DOOR_NAMES.filter((name) => !isPublic(name) && mayUseInRun(name, scope));
    expect(open.toSorted()).toEqual([
      "DELETE /api/interactions/:id/result",
      "GET /api/claims/:claimId/resolutions",
      "GET /api/interactions/:id",
      "GET /api/interactions/:id/events",
      "GET /api/interactions/:id/result",
      "POST /api/interactions",
      "POST /api/interactions/:id/cancel",
      "POST /api/interactions/media",
      "POST /api/interactions/reservations",
      "POST /api/notifications",
      "POST /api/runs/:driver/:runId/park",
    ]);
  });

  it("is looked at nowhere where nobody is", () => {
    expect(DOOR_NAMES.filter((name) => isPublic(name) && !mayUseInRun(name, scope))).toEqual([]);
  });

  it.each<[string, Json, boolean]>([
    ["for its own run", { mode: "async", run: { driver: "bot", run_id: "r 1" } }, true],
    ["that is waited for", { question: "?" }, true],
    ["for another run", { mode: "async", run: { driver: "bot", run_id: "r 2" } }, false],
    ["for another driver's run", { mode: "async", run: { driver: "b", run_id: "r 1" } }, false],
    ["for no run, which the door refuses", { mode: "async" }, true],
    ["for what is no run, which the door refuses", { mode: "async", run: { driver: "b", run_id: 1 } }, true],
    ["that is no question at all", [], true],
  ])("asks a question %s: %j is %s", (_, body, allowed) => {
    expect(mayUseInRun("POST /api/interactions", scope, sent(body))).toBe(allowed);
  });

  it.each([
    ["its own run", { driver: "bot", runId: "r 1" }, true],
    ["another run", { driver: "bot", runId: "r 2" }, false],
    ["another driver's run", { driver: "b", runId: "r 1" }, false],
  ])("parks %s: %j", (_, params, allowed) => {
    expect(mayUseInRun("POST /api/runs/:driver/:runId/park", scope, sent({}, params))).toBe(allowed);
  });

  it("reads the resolutions of its own claim", () => {
    const door = "GET /api/claims/:claimId/resolutions";
    expect(mayUseInRun(door, scope, sent(null, { claimId: "c-1" }))).toBe(true);
    expect(mayUseInRun(door, scope, sent(null, { claimId: "c-2" }))).toBe(false);
  });
});
