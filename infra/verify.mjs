/**
 * Everything that must hold before a change is good, in one run: the five static checks, then every
 * test. Ends with one plain line of counts, and with exit code 0 only when all of it passed.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const BIN = path.resolve("node_modules", ".bin");
/** Longest first, so that two at a time end together. */
const CHECKS = [
  // Typed rules hold the programs of every package they look into: all at once is more than a process may have.
  // No cache: a verdict on a file changes with the files it imports.
  { name: "lint of shared and services", commands: [eslint("shared"), eslint("services")] },
  {
    name: "lint of the rest",
    commands: [eslint("clients", "examples"), eslint("channels", "infra", "test", "*.{ts,mjs}", ".*.cjs")],
  },
  {
    name: "types",
    commands: [
      ["tsc", "-p", "tsconfig.json"],
      ["tsc", "-p", "clients/inbox/tsconfig.json"],
    ],
  },
  { name: "format", commands: [["prettier", "--check", "--log-level", "warn", "."]] },
  {
    name: "boundaries",
    commands: [
      [
        "depcruise",
        "--config",
        ".dependency-cruiser.cjs",
        "shared",
        "services",
        "channels",
        "clients",
        "infra",
        "test",
      ],
    ],
  },
  { name: "knip", commands: [["knip"]] },
];
/** Files; where more fail it is not chance. */
const RUN_AGAIN_AT_MOST = 3;
/** A skip is explained by the test's own name: `… [needs a Docker engine]`. */
const EXPLAINED = /\[[^\]]+\]$/;

function eslint(...places) {
  return ["eslint", "--max-warnings", "0", ...places];
}

const children = new Set();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
    process.exitCode = 130;
  });
}

const counts = { passed: 0, failed: 0, skipped: 0 };
await runChecks();
await runTests(process.argv.slice(2));
report();

async function runChecks() {
  const waiting = [...CHECKS];
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) await runCheck(check);
  };
  await Promise.all([worker(), worker()]);
}

async function runCheck({ name, commands }) {
  const startedAt = Date.now();
  for (const [program, ...args] of commands) {
    const { code, output } = await run(path.join(BIN, program), args, "collect");
    if (code === 0) continue;
    counts.failed += 1;
    console.log(`✗ ${name}\n${output.trimEnd()}\n`);
    return;
  }
  counts.passed += 1;
  console.log(`✓ ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
}

async function runTests(filters) {
  const first = await runVitest(filters);
  const failed = first.suites.filter(hasFailed);
  // A machine with neighbours can starve a file once; a fault that is there is there again when it runs alone.
  const again = failed.length > 0 && failed.length <= RUN_AGAIN_AT_MOST;
  const second = again ? await runVitest(failed.map(({ name }) => name)) : undefined;
  const { code } = second ?? first;
  const failedBefore = counts.failed;
  for (const suite of first.suites)
    countSuite(second?.suites.find(({ name }) => name === suite.name) ?? suite);
  for (const suite of second?.suites ?? []) tellWhatChanged(failed, suite);
  // Errors outside any test, or no results at all, are told by the exit code alone.
  if (code !== 0 && counts.failed === failedBefore) {
    counts.failed += 1;
    console.log(`✗ vitest ended with exit code ${code} although no test failed; what is wrong stands above`);
  }
}

async function runVitest(filters) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "interlude-verify-"));
  const file = path.join(folder, "results.json");
  const flags = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`, ...filters];
  const { code } = await run(path.join(BIN, "vitest"), flags, "show");
  const suites = readResults(file);
  fs.rmSync(folder, { recursive: true, force: true });
  return { code, suites };
}

function hasFailed({ status, assertionResults }) {
  return status === "failed" || assertionResults.some((one) => one.status === "failed");
}

/** Unsteady tests are said by name, so that nobody takes them for sound. */
function tellWhatChanged(before, { name, assertionResults }) {
  const then = before.find((suite) => suite.name === name)?.assertionResults ?? [];
  for (const { status, fullName } of then) {
    const now = assertionResults.find((one) => one.fullName === fullName)?.status;
    if (status === "failed" && now === "passed") console.log(`↻ failed once, passed alone: ${fullName}`);
  }
}

function countSuite({ name, status, assertionResults }) {
  if (assertionResults.length === 0 && status === "failed") {
    counts.failed += 1;
    console.log(`✗ ${path.relative(process.cwd(), name)} could not be loaded`);
  }
  for (const { status: outcome, title, ancestorTitles, fullName } of assertionResults) {
    if (outcome === "passed") counts.passed += 1;
    else if (outcome === "failed") counts.failed += 1;
    else if ([title, ...ancestorTitles].some((part) => EXPLAINED.test(part))) counts.skipped += 1;
    else {
      counts.failed += 1;
      console.log(`✗ skipped without a reason in its name: ${fullName}`);
    }
  }
}

function readResults(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")).testResults;
  } catch {
    return [];
  }
}

function report() {
  const skipped = counts.skipped === 0 ? "" : `, ${counts.skipped} skipped`;
  console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
  if (counts.failed > 0) process.exitCode ||= 1;
}

function run(program, args, output) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ["ignore", output === "show" ? "inherit" : "pipe", output === "show" ? "inherit" : "pipe"],
    });
    children.add(child);
    let text = "";
    child.stdout?.on("data", (chunk) => (text += chunk));
    child.stderr?.on("data", (chunk) => (text += chunk));
    const done = (code, more = "") => {
      children.delete(child);
      resolve({ code, output: text + more });
    };
    child.on("error", (error) => done(127, error.message));
    child.on("close", (code) => done(code ?? 1));
  });
}
