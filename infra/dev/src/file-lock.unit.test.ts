import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acquireFileLock, withFileLock } from "./file-lock.ts";
import { identify } from "./process-identity.ts";

let folder = "";
const options = { withinMs: 10_000, holding: "it is being tested" };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "interlude-lock-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("a file lock", () => {
  it("lets one at a time in, and leaves nothing behind", async () => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => withFileLock(join(folder, "l"), options, work)));
    expect(most).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["a process that is no more", JSON.stringify({ pid: 999_999_999, startedAt: "then", token: "t" })],
    [
      "another process that has its number now",
      JSON.stringify({ pid: process.pid, startedAt: "then", token: "t" }),
    ],
    ["nobody: it cannot be read", "{"],
  ])("held by %s does not count", async (_whose, content) => {
    writeFileSync(join(folder, "l"), content);
    const release = await acquireFileLock(join(folder, "l"), options);
    release();
    expect(existsSync(join(folder, "l"))).toBe(false);
  });

  it("held by a living process is waited for, and then says who holds it", async () => {
    writeFileSync(join(folder, "l"), JSON.stringify({ ...identify(process.pid), token: "somebody" }));
    const lines: string[] = [];
    const waiting = acquireFileLock(join(folder, "l"), {
      ...options,
      withinMs: 100,
      report: (line) => lines.push(line),
    });
    await expect(waiting).rejects.toMatchObject({ code: "server_failed" });
    expect(lines).toEqual(["waiting for another process: it is being tested"]);
  });

  it("is given back when the work fails", async () => {
    const failing = withFileLock(join(folder, "l"), options, () => Promise.reject(new RangeError("no")));
    await expect(failing).rejects.toThrow(RangeError);
    expect(readdirSync(folder)).toEqual([]);
  });
});
