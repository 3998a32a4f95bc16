import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeCheckout, type Checkout } from "./checkout.ts";

let checkout: Checkout;

type Assertion = { status: string; title: string; ancestorTitles?: string[] };

/** A test runner that reports what the test says, as the real one writes it. */
function runner(assertions: Assertion[], exitCode: number, suites: object[] = []): void {
  const assertionResults = assertions.map((one) => ({ ancestorTitles: [], fullName: one.title, ...one }));
  const report = { testResults: [{ name: "a.test.ts", status: "passed", assertionResults }, ...suites] };
  checkout.write("report.json", JSON.stringify(report));
  checkout.script(
    "node_modules/.bin/vitest",
    `for flag in "$@"; do case "$flag" in --outputFile.json=*) cp report.json "\${flag#--outputFile.json=}";; esac; done; exit ${exitCode}`,
  );
}

async function verify(): Promise<{ code: number; said: string; last: string | undefined }> {
  const { exitCode, stdout } = await checkout.run("infra/verify.mjs");
  return { code: exitCode, said: stdout, last: stdout.trimEnd().split("\n").at(-1) };
}

beforeEach(() => {
  checkout = makeCheckout();
  for (const tool of ["eslint", "tsc", "prettier", "depcruise", "knip"])
    checkout.script(`node_modules/.bin/${tool}`, "exit 0");
});

afterEach(() => {
  checkout.remove();
});

describe("the verification", () => {
  it("counts the six checks and every test, and ends with the counts", async () => {
    runner(
      [
        { status: "passed", title: "one" },
        { status: "passed", title: "two" },
      ],
      0,
    );
    expect(await verify()).toMatchObject({ code: 0, last: "8 passed, 0 failed" });
  });

  it("shows what a failed check said, and goes on with the others", async () => {
    runner([{ status: "passed", title: "one" }], 0);
    checkout.script("node_modules/.bin/eslint", 'echo "a.ts: unused"; exit 1');
    const { code, said, last } = await verify();
    expect([code, last]).toEqual([1, "5 passed, 2 failed"]);
    expect(said).toContain("✗ lint of the rest\na.ts: unused");
  });

  it("accepts a skip whose name gives the reason, and counts it", async () => {
    runner(
      [
        { status: "skipped", title: "runs in a container [needs a Docker engine]" },
        { status: "pending", title: "deep", ancestorTitles: ["on a cluster [needs a cluster]"] },
      ],
      0,
    );
    expect(await verify()).toMatchObject({ code: 0, last: "6 passed, 0 failed, 2 skipped" });
  });

  it("refuses a skip without a reason", async () => {
    runner(
      [
        { status: "skipped", title: "works some day" },
        { status: "todo", title: "later" },
      ],
      0,
    );
    const { code, said, last } = await verify();
    expect([code, last]).toEqual([1, "6 passed, 2 failed"]);
    expect(said).toContain("skipped without a reason in its name: works some day");
  });

  it("runs a failed file again, alone, and names the test that passed only then", async () => {
    const report = (status: string): string =>
      JSON.stringify({
        testResults: [
          {
            name: "a.test.ts",
            status,
            assertionResults: [{ status, title: "t", fullName: "starved", ancestorTitles: [] }],
          },
        ],
      });
    checkout.write("report.json", report("failed"));
    checkout.write("next.json", report("passed"));
    checkout.script(
      "node_modules/.bin/vitest",
      `for flag in "$@"; do case "$flag" in --outputFile.json=*) cp report.json "\${flag#--outputFile.json=}";; esac; done; cp next.json report.json; case "$*" in *a.test.ts) exit 0;; *) exit 1;; esac`,
    );
    const { code, said, last } = await verify();
    expect([code, last]).toEqual([0, "7 passed, 0 failed"]);
    expect(said).toContain("↻ failed once, passed alone: starved");
  });

  it("counts a test that fails alone too", async () => {
    runner([{ status: "failed", title: "broken" }], 1);
    expect(await verify()).toMatchObject({ code: 1, last: "6 passed, 1 failed" });
  });

  it("counts a file that could not be loaded, and a run that ended badly without saying why", async () => {
    runner([], 1, [{ name: "b.test.ts", status: "failed", assertionResults: [] }]);
    expect(await verify()).toMatchObject({ code: 1, last: "6 passed, 1 failed" });
    runner([{ status: "passed", title: "one" }], 1);
    expect(await verify()).toMatchObject({ code: 1, last: "7 passed, 1 failed" });
  });
});
