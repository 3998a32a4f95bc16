import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createKey, readKeys, revokeKey } from "./key-file.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keys-"));
  file = join(folder, "keys.json");
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe("the file of API keys", () => {
  it("holds a digest and never the key, and only its owner can read it", () => {
    const { id, key } = createKey(file, { subject: "bot", roles: ["asker"], groups: ["ops"] });
    const text = readFileSync(file, "utf8");
    expect(JSON.parse(text)).toEqual([
      {
        id,
        sha256: createHash("sha256").update(key).digest("hex"),
        subject: "bot",
        roles: ["asker"],
        groups: ["ops"],
      },
    ]);
    expect(text).not.toContain(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["keys.json"]);
  });

  it("keeps what it had, adds and takes away one key at a time", () => {
    const kept = { id: "a", sha256: "0".repeat(64), subject: "s", roles: ["operator"], later: "member" };
    writeFileSync(file, JSON.stringify([kept]));
    createKey(file, { id: "b", subject: "bot", roles: ["asker"] });
    expect(readKeys(file).map((entry) => entry.id)).toEqual(["a", "b"]);
    revokeKey(file, "b");
    expect(readKeys(file)).toEqual([kept]);
    expect(() => {
      revokeKey(file, "b");
    }).toThrow(/no key b/);
    expect(() => createKey(file, { id: "a", subject: "x", roles: ["asker"] })).toThrow(/already/);
    expect(readKeys(file)).toEqual([kept]);
  });

  it("is left alone when it is something else, or when another change is under way", () => {
    writeFileSync(file, "{}");
    expect(() => createKey(file, { subject: "bot", roles: ["asker"] })).toThrow(/not been touched/);
    expect(readFileSync(file, "utf8")).toBe("{}");
    writeFileSync(file, "[]");
    writeFileSync(`${file}.new`, "");
    expect(() => createKey(file, { subject: "bot", roles: ["asker"] })).toThrow(/under way/);
    expect(readdirSync(folder)).toEqual(["keys.json", "keys.json.new"]);
  });
});
