import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { FormPage, JsonObject, Media, Option } from "@interlude/sdk";
import { z } from "zod";
import { parseJson, parseJsonObject } from "./answer-value.ts";
import { usage } from "./exit-code.ts";
import type { Surroundings } from "./terminal.ts";

const Pages = z.array(z.object({ title: z.string(), properties: z.array(z.string()) }));
const MediaItems = z.array(
  z.strictObject({
    kind: z.enum(["image", "document", "video", "audio", "link"]),
    url: z.string(),
    caption: z.string().exactOptional(),
    filename: z.string().exactOptional(),
  }),
);

/** JSON on the command line, or `@file`. */
function jsonText(given: string, around: Surroundings, flag: string): string {
  if (!given.startsWith("@")) return given;
  try {
    return readFileSync(resolve(around.cwd, given.slice(1)), "utf8");
  } catch {
    throw usage(`${flag}: ${given.slice(1)} cannot be read`);
  }
}

export function optionOf(given: string): Option {
  const at = given.indexOf("=");
  return at < 1 ? given : { value: given.slice(0, at), label: given.slice(at + 1) };
}

export function objectOf(
  given: string | undefined,
  around: Surroundings,
  flag: string,
): JsonObject | undefined {
  return given === undefined ? undefined : parseJsonObject(jsonText(given, around, flag), flag);
}

export function pagesOf(given: string | undefined, around: Surroundings): readonly FormPage[] | undefined {
  if (given === undefined) return undefined;
  const pages = Pages.safeParse(parseJson(jsonText(given, around, "--pages"), "--pages"));
  if (!pages.success) throw usage("--pages takes a list of {title, properties}");
  return pages.data;
}

export function mediaOf(given: string | undefined, around: Surroundings): readonly Media[] | undefined {
  if (given === undefined) return undefined;
  const media = MediaItems.safeParse(parseJson(jsonText(given, around, "--media"), "--media"));
  if (!media.success) throw usage("--media takes a list of {kind, url, caption?, filename?}");
  return media.data;
}
