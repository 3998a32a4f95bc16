import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeCheckout, type Checkout } from "./checkout.ts";

let checkout: Checkout;

beforeEach(() => {
  checkout = makeCheckout();
  checkout.write("infra/verify.mjs", 'console.log("RAN", JSON.stringify(process.argv.slice(2)));');
});

afterEach(() => {
  checkout.remove();
});

const bootstrap = async (...args: string[]): Promise<{ code: number; said: string }> => {
  const { exitCode, stdout, stderr } = await checkout.run("infra/bootstrap.mjs", ...args);
  return { code: exitCode, said: `${stdout}${stderr}` };
};

describe("the first start in a checkout", () => {
  it("installs with the pinned package manager, builds the inbox, and becomes the command", async () => {
    const { code, said } = await bootstrap("test", "--some", "filter");
    expect(code).toBe(0);
    expect(said).toContain("INSTALLED -y pnpm@1.2.3 install --frozen-lockfile");
    expect(said).toContain("BUILT");
    expect(said).toContain('RAN ["--some","filter"]');
  });

  it("is done once: nothing is installed or built again while nothing changed", async () => {
    await bootstrap("test");
    const { said } = await bootstrap("test");
    expect(said).toBe("RAN []\n");
  });

  it.each([
    ["the lockfile", "pnpm-lock.yaml", "INSTALLED"],
    ["a package's manifest", "shared/new/package.json", "INSTALLED"],
    ["a patch of a package", "patches/some.patch", "INSTALLED"],
    ["the inbox", "clients/inbox/src/main.ts", "BUILT"],
  ])("is repeated where %s changed", async (_what, path, expected) => {
    await bootstrap("test");
    checkout.write(path, "changed");
    expect((await bootstrap("test")).said).toContain(expected);
  });

  it("is repeated when its result was deleted", async () => {
    await bootstrap("test");
    rmSync(join(checkout.root, "clients/inbox/dist"), { recursive: true });
    rmSync(join(checkout.root, "node_modules"), { recursive: true });
    const { said } = await bootstrap("test");
    expect(said).toContain("INSTALLED");
    expect(said).toContain("BUILT");
  });

  it("installs once when two commands start together", async () => {
    checkout.script(
      "bin/npx",
      "sleep 1; echo INSTALLED; mkdir -p node_modules; touch node_modules/.modules.yaml",
    );
    const both = await Promise.all([bootstrap("test"), bootstrap("test")]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.filter(({ said }) => said.includes("INSTALLED"))).toHaveLength(1);
  });
});

describe("an installation that fails", () => {
  it.each([
    ["npm error code ENOTFOUND", "the npm registry cannot be reached"],
    ["npm error errno ECONNREFUSED", "the npm registry cannot be reached"],
    ["ERR_PNPM_OUTDATED_LOCKFILE", "npx -y pnpm@1.2.3 install"],
    ["ENOSPC: no space left on device", "the disk is full"],
    ["EACCES: permission denied", "this user must own"],
    ["something else", "stands above"],
  ])("with %s says what to do, and is tried again next time", async (says, advice) => {
    checkout.script("bin/npx", `echo "${says}" >&2; exit 1`);
    const { code, said } = await bootstrap("test");
    expect(code).toBe(1);
    expect(said).toContain(advice);
    expect(said).not.toMatch(/RAN|\n {4}at /);
    checkout.script("bin/npx", "echo INSTALLED; mkdir -p node_modules; touch node_modules/.modules.yaml");
    expect((await bootstrap("test")).said).toContain("RAN");
  });

  it("because the inbox cannot be built stops there", async () => {
    checkout.write("clients/inbox/node_modules/vite/bin/vite.js", "process.exit(1)");
    const { code, said } = await bootstrap("test");
    expect([code, said.includes("could not be built"), said.includes("RAN")]).toEqual([1, true, false]);
  });
});

describe("a command", () => {
  it("that does not exist is answered with those that do", async () => {
    const { code, said } = await bootstrap("deploy");
    expect([code, said]).toEqual([
      1,
      "usage: node infra/bootstrap.mjs dev|test|bench|manifests [arguments]\n",
    ]);
  });
});
