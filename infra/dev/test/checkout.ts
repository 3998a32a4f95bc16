import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram, type Finished } from "../src/run-program.ts";

const INFRA = fileURLToPath(new URL("../../", import.meta.url));

/** A made-up checkout with the real commands in it, whose package manager and tools are scripts of the test. */
export type Checkout = {
  root: string;
  write(path: string, text: string): void;
  /** An executable shell script. */
  script(path: string, text: string): void;
  run(...args: string[]): Promise<Finished>;
  remove(): void;
};

export function makeCheckout(): Checkout {
  const root = mkdtempSync(join(tmpdir(), "interlude-checkout-"));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const script = (path: string, text: string): void => {
    write(path, `#!/bin/sh\n${text}\n`);
    chmodSync(join(root, path), 0o755);
  };
  for (const name of ["bootstrap.mjs", "verify.mjs"]) cpSync(join(INFRA, name), join(root, "infra", name));
  write("package.json", JSON.stringify({ packageManager: "pnpm@1.2.3", type: "module" }));
  write("pnpm-lock.yaml", "");
  write("clients/inbox/package.json", "{}");
  write("clients/inbox/src/main.ts", "one");
  const build =
    "const fs = require('node:fs'); fs.mkdirSync('dist', {recursive: true}); fs.writeFileSync('dist/index.html', ''); console.log('BUILT');";
  write("clients/inbox/node_modules/vite/package.json", '{"type":"commonjs"}');
  write("clients/inbox/node_modules/vite/bin/vite.js", build);
  script("bin/npx", 'echo "INSTALLED $*"; mkdir -p node_modules; touch node_modules/.modules.yaml');
  const environment = { ...process.env, PATH: `${join(root, "bin")}:${process.env["PATH"] ?? ""}` };
  return {
    root,
    write,
    script,
    run: (...args) => runProgram(process.execPath, args, { cwd: root, env: environment, timeoutMs: 60_000 }),
    remove: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}
