import { describe, expect, it } from "vitest";
import { accessTable, DOOR_NAMES } from "./access-table.ts";

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
