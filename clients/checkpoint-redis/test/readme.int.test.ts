import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { hasRedis, saverUnderTest } from "./saver-under-test.ts";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

describe.skipIf(!hasRedis)("what the page shows [needs a Redis server]", () => {
  const test = saverUnderTest();

  it("runs as a program", { timeout: 60_000 }, async () => {
    const page = readFileSync(join(PACKAGE, "README.md"), "utf8");
    const program = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code).join("\n");
    // A prefix of the test's own, and a place where the page's packages are found and no commit looks.
    const code = program
      .replace('"@interlude/checkpoint-redis"', '"../src/index.ts"')
      .replace('6379");', `6379", { keyPrefix: "${test.prefix}" });`);
    const file = join(PACKAGE, "node_modules", `.readme-${process.pid}.mts`);
    writeFileSync(file, code);
    try {
      const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", file], {
        cwd: PACKAGE,
        env: { PATH: process.env["PATH"], REDIS_URL: test.url },
        timeout: 50_000,
      });
      expect(stdout).toBe("Fly to Graz? true\nswept\n");
    } finally {
      rmSync(file);
    }
  });
});
