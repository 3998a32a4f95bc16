import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceFailure } from "@interlude/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openHome } from "./home.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "il-home-"));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

const keysFile = () => join(home, "keys.json");

describe("a home's keys", () => {
  it("are made once, for their owner's eyes only, and the same at each later start", () => {
    const made = openHome(home);
    expect(statSync(keysFile()).mode & 0o777).toBe(0o600);
    expect(openHome(home)).toEqual(made);
  });

  it.each([
    ["is no JSON", "{ truncated"],
    ["is empty", ""],
    ["lacks a key", JSON.stringify({ dev_key: "il_dev_x" })],
    ["is something else", "[]"],
  ])("are not replaced when the file %s: the start is refused, naming it", (_what, content) => {
    writeFileSync(keysFile(), content);
    const refused = refusal();
    expect(refused?.code).toBe("home_damaged");
    expect(refused?.message).toContain(keysFile());
    expect(readFileSync(keysFile(), "utf8")).toBe(content);
    expect(readdirSync(home)).toEqual(["keys.json"]);
  });

  it("are not replaced when the file cannot be read at all", () => {
    mkdirSync(keysFile());
    expect(refusal()).toMatchObject({ code: "home_damaged" });
    expect(existsSync(keysFile())).toBe(true);
  });
});

function refusal(): ServiceFailure | undefined {
  try {
    openHome(home);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceFailure) return error;
    throw error;
  }
}
