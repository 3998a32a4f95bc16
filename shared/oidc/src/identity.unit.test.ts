import { describe, expect, it } from "vitest";
import { identityOf } from "./identity.ts";

const names = { rolesClaim: "roles", groupsClaim: "groups" };
const of = (claims: Record<string, unknown>, where = names) => identityOf({ sub: "dora", ...claims }, where);

describe("who a provider's claims speak of", () => {
  it.each([undefined, null, "", 7, ["dora"], "group:finance", "x".repeat(513)])(
    "is nobody with the sub %j",
    (sub) => {
      expect(of({ sub, roles: ["asker"] })).toBeUndefined();
    },
  );

  it.each([
    [
      ["asker", "operator"],
      ["asker", "operator"],
    ],
    [["answerer", "answerer"], ["answerer"]],
    ["openid asker  answerer", ["asker", "answerer"]],
    [["Asker", "admin", " asker", 7, null, ["operator"]], []],
    [{ asker: true }, []],
    [undefined, []],
  ])("has of the roles %j those that are ours: %j", (roles, ours) => {
    expect(of({ roles })?.roles).toEqual(ours);
  });

  it.each([
    [
      ["a", "b c", "a"],
      ["a", "b c"],
    ],
    ["the finance team", ["the finance team"]],
    [["", 7, null, {}, "x".repeat(513), "ok"], ["ok"]],
    [undefined, []],
  ])("is of the groups %j in %j", (groups, ours) => {
    expect(of({ groups })?.groups).toEqual(ours);
  });

  it("is read from wherever the claims are said to be", () => {
    const claims = {
      realm_access: { roles: ["asker"], "x.y": { z: ["answerer"] } },
      "https://id.example/groups": ["finance"],
      "a.b": ["whole"],
      a: { b: ["path"] },
    };
    expect(
      of(claims, { rolesClaim: "realm_access.roles", groupsClaim: "https://id.example/groups" }),
    ).toEqual({
      ...{ subject: "dora", roles: ["asker"], groups: ["finance"] },
    });
    expect(of(claims, { rolesClaim: "realm_access.x.y.z", groupsClaim: "a.b" })).toMatchObject({
      ...{ roles: [], groups: ["whole"] },
    });
  });

  it.each(["constructor.name", "__proto__", "roles.length", "roles.0", "toString"])(
    "is never what the language itself has at %s",
    (path) => {
      expect(of({ roles: ["asker"] }, { rolesClaim: path, groupsClaim: path })).toMatchObject({
        roles: [],
        groups: [],
      });
    },
  );
});
