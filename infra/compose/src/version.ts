import { readFileSync } from "node:fs";
import { z } from "zod";

const Package = z.object({ version: z.string() });

/** The version of the product, as its top package says. */
export function productVersion(): string {
  const path = new URL("../../../package.json", import.meta.url);
  return Package.parse(JSON.parse(readFileSync(path, "utf8"))).version;
}
