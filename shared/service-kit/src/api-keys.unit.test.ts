import { describe, expect, it } from "vitest";
import { keyRegistry, parseApiKeys, sha256Hex } from "./api-keys.ts";

const key = { id: "k1", sha256: sha256Hex("secret"), subject: "ann", roles: ["asker"] };

describe("an API keys file", () => {
  it("finds a key by its digest, in either case", () => {
    const parsed = parseApiKeys(JSON.stringify([{ ...key, sha256: key.sha256.toUpperCase() }]));
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(keyRegistry(parsed.keys).get(sha256Hex("secret"))?.subject).toBe("ann");
  });

  it.each([
    ["not JSON", "{", "is not JSON"],
    ["not a list", "{}", "expected array"],
    ["a short digest", JSON.stringify([{ ...key, sha256: "abc" }]), "64 hexadecimal digits"],
    ["an unknown role", JSON.stringify([{ ...key, roles: ["king"] }]), "roles"],
    ["no role", JSON.stringify([{ ...key, roles: [] }]), "roles"],
    [
      "a subject called like a group",
      JSON.stringify([{ ...key, subject: "group:ops" }]),
      "must not begin with group:",
    ],
    ["an unknown field", JSON.stringify([{ ...key, rolls: [] }]), "rolls"],
  ])("with %s is refused with the reason", (_, text, reason) => {
    const parsed = parseApiKeys(text);
    expect(parsed.ok ? "" : parsed.reason).toContain(reason);
  });
});
