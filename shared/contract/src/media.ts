import { isJsonList, type Json } from "@interlude/kernel";
import { z } from "zod";
import { CAPS } from "./caps.ts";
import { check, countFault, fault } from "./check.ts";
import { dataImageFault, isDataUri } from "./data-image.ts";
import { text } from "./fields.ts";
import { type FieldFault, type Parsed, verdict } from "./parsed.ts";
import { servedMediaId } from "./served-media.ts";
import { codePoints, textFaults } from "./text.ts";
import { hasHiddenCharacter, webAddressFault } from "./web-address.ts";

const MEDIA_KINDS = ["image", "document", "video", "audio", "link"] as const;
/** Marks that turn the direction of what follows: a name could be read as another one. */
const TURNS_DIRECTION = /[\u202A-\u202E\u2066-\u2069]/;

export const MediaItemSchema = z.strictObject({
  kind: z.enum(MEDIA_KINDS),
  url: z.string().meta({ minLength: 1, maxLength: CAPS.MEDIA_DATA_URI_MAX_CHARS }),
  caption: text({ max: CAPS.MEDIA_CAPTION_MAX_CHARS, visible: true }).exactOptional(),
  filename: text({ max: CAPS.MEDIA_FILENAME_MAX_CHARS, visible: true, noControl: true }).exactOptional(),
});

export type MediaKind = (typeof MEDIA_KINDS)[number];
export type MediaItem = Readonly<{ kind: MediaKind; url: string; caption?: string; filename?: string }>;
export type MediaContext = Readonly<{ publicBaseUrl?: string | undefined }>;

function addressFault(kind: MediaKind, url: string, context: MediaContext): string | undefined {
  if (hasHiddenCharacter(url)) return "must not have whitespace, control, bidi or zero-width characters";
  if (isDataUri(url)) return kind === "image" ? dataImageFault(url) : `must not be a data: URL on a ${kind}`;
  if (kind === "link") return webAddressFault(url, ["http", "https"]);
  if (servedMediaId(url, context.publicBaseUrl) !== undefined) return undefined;
  return webAddressFault(url, ["https"]);
}

function urlFaults(item: MediaItem, context: MediaContext): string[] {
  const max = isDataUri(item.url) ? CAPS.MEDIA_DATA_URI_MAX_CHARS : CAPS.MEDIA_URL_MAX_CHARS;
  const faults = textFaults(item.url, { max });
  // An address that is over its cap or empty is not looked at: the message about it would only mislead.
  if (faults.length > 0) return faults;
  const wrong = addressFault(item.kind, item.url, context);
  return wrong === undefined ? [] : [wrong];
}

function itemFaults(item: MediaItem, path: (string | number)[], context: MediaContext): FieldFault[] {
  const say = (field: string, message: string): FieldFault => fault([...path, field], message);
  const faults = urlFaults(item, context).map((message) => say("url", message));
  if (item.filename !== undefined && item.kind !== "document") {
    faults.push(say("filename", "is for documents only"));
  }
  if (item.filename !== undefined && TURNS_DIRECTION.test(item.filename)) {
    faults.push(say("filename", "must not have characters that turn the reading direction"));
  }
  return faults;
}

function totalFault(items: readonly MediaItem[], at: string): FieldFault[] {
  const total = items.reduce((sum, item) => sum + codePoints(item.url), 0);
  if (total <= CAPS.MEDIA_TOTAL_URI_CHARS) return [];
  const max = CAPS.MEDIA_TOTAL_URI_CHARS;
  return [fault([at], `must have at most ${max} characters of URLs in total and has ${total}`)];
}

/**
 * The media of an ask or notification, under `field` of its body. Nothing is decoded beyond an image's
 * first bytes, and nothing is fetched: whether a served reference exists is its owner's to say.
 */
export function parseMedia(
  items: Json,
  field = "media",
  context: MediaContext = {},
): Parsed<readonly MediaItem[]> {
  const count = countFault(items, [field], CAPS.MEDIA_MAX_ITEMS);
  if (count !== undefined || !isJsonList(items)) {
    return { ok: false, faults: count === undefined ? [] : [count] };
  }
  const faults: FieldFault[] = [];
  const media: MediaItem[] = [];
  for (const [index, raw] of items.entries()) {
    const parsed = check(MediaItemSchema, raw, [field, index]);
    if (!parsed.ok) faults.push(...parsed.faults);
    else {
      media.push(parsed.value);
      faults.push(...itemFaults(parsed.value, [field, index], context));
    }
  }
  return verdict([...faults, ...totalFault(media, field)], media);
}
