// Makes `dist` for publishing: one bundled module for Node and browsers, and its declarations.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const dist = join(here, "dist");
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");

await rm(dist, { recursive: true, force: true });
await build({
  entryPoints: [join(here, "src/index.ts")],
  outfile: join(dist, "index.js"),
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "neutral",
  target: "es2022",
  sourcemap: true,
});
const declarations = [
  "--noEmit",
  "false",
  "--emitDeclarationOnly",
  "--declaration",
  "--incremental",
  "false",
];
execFileSync(
  process.execPath,
  [tsc, "-p", join(here, "tsconfig.build.json"), ...declarations, "--outDir", dist],
  {
    stdio: "inherit",
  },
);

// Sources name each other with `.ts`; what is published names the declarations beside it.
for (const entry of await readdir(dist, { recursive: true })) {
  if (!entry.endsWith(".d.ts")) continue;
  const path = join(dist, entry);
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
}
