import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryHome } from "@interlude/testing";
import { expect, it } from "vitest";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const Results = z.object({
  rows: z.array(z.object({ name: z.string(), ratio: z.object({ median: z.number() }) })),
});

it("the benchmark measures what it is asked for, prints a table and keeps the results", async () => {
  const folder = temporaryHome("bench-smoke");
  const out = join(folder, "results.json");
  try {
    const args = [
      "--import",
      "tsx",
      "test/bench/main.ts",
      "--only",
      "ask",
      "--pairs",
      "1",
      "--n",
      "20",
      "--out",
      out,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: 110_000 });
    expect(stdout).toMatch(/^measured +ours +reference +ratio/m);
    expect(stdout).toMatch(/^ask, 1 caller, p50 +\S+ ms +\S+ ms +\S+×/m);
    const { rows } = Results.parse(JSON.parse(readFileSync(out, "utf8")));
    expect(rows.map(({ name }) => name)).toEqual(["ask, 1 caller, p50"]);
    expect(rows[0]?.ratio.median).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
