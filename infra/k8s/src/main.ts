import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { render, toYaml } from "./render.ts";

/** Renders and checks every overlay into `dist/manifests/<overlay>.yaml`. */
const here = fileURLToPath(new URL("..", import.meta.url));
const target = fileURLToPath(new URL("../../../dist/manifests", import.meta.url));
mkdirSync(target, { recursive: true });
for (const entry of readdirSync(here, { withFileTypes: true })) {
  if (!entry.isDirectory() || ["src", "node_modules"].includes(entry.name)) continue;
  const manifests = render(join(here, entry.name));
  writeFileSync(join(target, `${entry.name}.yaml`), toYaml(manifests));
  process.stdout.write(`${entry.name}: ${manifests.length} manifests are valid\n`);
}
