import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const Running = z.object({ url: z.string(), api_key: z.string(), database_url: z.string() });

/** Where Interlude is: as the environment says, or the one that `npm run dev` has started in this checkout. */
export function readConfig(): { url: string; apiKey: string; databaseUrl: string } {
  const { INTERLUDE_URL: url, INTERLUDE_API_KEY: apiKey, DATABASE_URL: databaseUrl } = process.env;
  if (url !== undefined && apiKey !== undefined && databaseUrl !== undefined)
    return { url, apiKey, databaseUrl };
  const home = process.env["INTERLUDE_HOME"] ?? fileURLToPath(new URL("../.interlude", import.meta.url));
  try {
    const running = Running.parse(JSON.parse(readFileSync(`${home}/dev.json`, "utf8")));
    return { url: running.url, apiKey: running.api_key, databaseUrl: running.database_url };
  } catch (error) {
    throw new Error("start `npm run dev` first, or set INTERLUDE_URL, INTERLUDE_API_KEY and DATABASE_URL", {
      cause: error,
    });
  }
}
