import { type ProviderRequest, splitText } from "@interlude/channel-kit";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "@interlude/kernel";
import { LIMITS } from "./limits.ts";

/** Long enough for a notification, which is all that it is shown in. */
const PREVIEW_MAX_CHARS = 1_000;

/** All that is read in a block, in order. */
function readTexts(value: Json): string[] {
  if (isJsonList(value)) return value.flatMap(readTexts);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "string" ? (key === "text" || key === "alt_text" ? [inner] : []) : readTexts(inner),
  );
}

const charsOf = (block: JsonObject): number => readTexts(block).join("").length;

/** `&`, `<` and `>` are all that has a meaning wherever Slack reads a text. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** What stands in a notification: the words, before what goes with them. The message itself is its blocks. */
function preview(blocks: readonly JsonObject[]): string {
  const words = blocks.filter(({ type, accessory }) => type === "section" && accessory === undefined);
  const texts = (words.length > 0 ? words : blocks).flatMap(readTexts);
  const [start = "", more] = splitText(texts.join("\n"), PREVIEW_MAX_CHARS);
  return escapeText(more === undefined ? start : `${start.trimEnd()}…`);
}

export function messageBody(blocks: readonly JsonObject[]): { text: string; blocks: readonly JsonObject[] } {
  return { text: preview(blocks), blocks };
}

/** Blocks in as few messages as take them, in order. */
export function pack(blocks: readonly JsonObject[]): JsonObject[][] {
  const packed: JsonObject[][] = [];
  let current: JsonObject[] = [];
  let chars = 0;
  for (const block of blocks) {
    const size = charsOf(block);
    const isFull = current.length === LIMITS.BLOCKS_MAX_ITEMS || chars + size > LIMITS.BLOCKS_TOTAL_MAX_CHARS;
    if (isFull && current.length > 0) {
      packed.push(current);
      [current, chars] = [[], 0];
    }
    current.push(block);
    chars += size;
  }
  return current.length === 0 ? packed : [...packed, current];
}

/** Messages of blocks. Nothing is unfurled: a preview would fetch what is meant for the person alone. */
export function messages(to: string, blocks: readonly JsonObject[], threadTs?: string): ProviderRequest[] {
  return pack(blocks).map((each) => ({
    method: "chat.postMessage",
    body: {
      channel: to,
      ...messageBody(each),
      unfurl_links: false,
      unfurl_media: false,
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    },
  }));
}
