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
  rows: z.array(z.object({ name: z.string(), ratio: z.object({ median: z.number() }).optional() })),
});

/** What is printed, and the rows that are kept. */
async function benchmark(...asked: string[]) {
  const folder = temporaryHome("bench-smoke");
  const out = join(folder, "results.json");
  try {
    const args = ["--import", "tsx", "test/bench/main.ts", "--pairs", "1", "--out", out, ...asked];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: 110_000 });
    return { stdout, rows: Results.parse(JSON.parse(readFileSync(out, "utf8"))).rows };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it("the benchmark measures what it is asked for, prints a table and keeps the results", async () => {
  const { stdout, rows } = await benchmark("--only", "ask", "--n", "20");
  expect(stdout).toMatch(/^measured +ours +reference +ratio/m);
  expect(stdout).toMatch(/^ask, 1 caller, p50 +\S+ ms +\S+ ms +\S+×/m);
  expect(rows.map(({ name }) => name)).toEqual(["ask, 1 caller, p50"]);
  expect(rows[0]?.ratio?.median).toBeGreaterThan(0);
}, 120_000);

it("the benchmark measures the same job as a peer does it, beside ours", async () => {
  const { rows } = await benchmark("--only", "peers", "--peer", "dbos", "--n", "5");
  expect(rows.map(({ name }) => name)).toEqual([
    "answer to continued, 1 run, to dbos, p50",
    "answer to continued, 64 runs at once, to dbos, p50",
    "whole runs, 1 caller, to dbos",
    "whole runs, 64 callers, to dbos",
    "memory a waiting run takes, dbos",
    "memory a waiting run takes, interlude",
  ]);
  for (const { name, ratio } of rows.slice(0, 4)) expect(ratio?.median, name).toBeGreaterThan(0);
}, 120_000);
