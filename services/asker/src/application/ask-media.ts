import {
  type AskedData,
  decodeDataImage,
  type FieldFault,
  isDataUri,
  type MediaItem,
  servedMediaId,
} from "@interlude/contract";
import { ServiceFailure } from "@interlude/kernel";
import type { AskMedia } from "./ports.ts";

type Items = NonNullable<AskedData["media"]>;

/** What an ask's media needs before it can be stored: nothing here has touched the store yet. */
export type MediaPlan = {
  items: Items | undefined;
  /** Ids of stored media the ask refers to, with the item's place. */
  referenced: readonly { index: number; id: string }[];
  /** Places of images given inline, whose bytes are stored by reference. */
  inline: readonly { index: number; url: string }[];
};

const MEDIA_PATH = "/api/interactions/media/";

export function planMedia(
  media: readonly MediaItem[] | undefined,
  publicBaseUrl: string | undefined,
): MediaPlan {
  if (media === undefined) return { items: undefined, referenced: [], inline: [] };
  const referenced: { index: number; id: string }[] = [];
  const inline: { index: number; url: string }[] = [];
  const items = media.map((item, index) => {
    if (item.kind === "image" && isDataUri(item.url)) inline.push({ index, url: item.url });
    const id = item.kind === "link" ? undefined : servedMediaId(item.url, publicBaseUrl);
    if (id === undefined) return { ...item };
    referenced.push({ index, id });
    return { ...item, url: `${MEDIA_PATH}${id}` };
  });
  return { items, referenced, inline };
}

const SOME_ID = "0".repeat(43);

/** The items as long as they will be stored: inline images as references. */
export function itemsAsLong(plan: MediaPlan): Items | undefined {
  const inline = new Set(plan.inline.map(({ index }) => index));
  return plan.items?.map((item, index) =>
    inline.has(index) ? { ...item, url: `${MEDIA_PATH}${SOME_ID}` } : item,
  );
}

/** Faults of references to media that is not there, or is of another kind than the item says. */
export async function referenceFaults(media: AskMedia, plan: MediaPlan): Promise<FieldFault[]> {
  if (plan.referenced.length === 0) return [];
  const types = await media.types(plan.referenced.map(({ id }) => id));
  const missing = plan.referenced.map(({ id }) => id).filter((id) => !types.has(id));
  return [...missingFaults(plan, missing), ...kindFaults(plan, types)];
}

/** A document is any file that is handed over; an image, a video and a sound are shown and played as such. */
function kindFaults({ items = [], referenced }: MediaPlan, types: ReadonlyMap<string, string>): FieldFault[] {
  return referenced.flatMap(({ index, id }) => {
    const [kind, type] = [items[index]?.kind, types.get(id)];
    if (kind === undefined || type === undefined || kind === "document") return [];
    if (type.startsWith(`${kind}/`)) return [];
    return [{ path: `/media/${index}/kind`, message: `kind is ${kind}, and the stored media is ${type}` }];
  });
}

export type PlacedMedia =
  | { ok: true; items: Items | undefined; stored: readonly string[] }
  | { ok: false; faults: readonly FieldFault[] };

/** Stores the inline images and says what shows them; `stored` can be taken back. */
export async function placeMedia(media: AskMedia, plan: MediaPlan, ownerId: string): Promise<PlacedMedia> {
  if (plan.items === undefined) return { ok: true, items: undefined, stored: [] };
  const stored =
    plan.inline.length === 0 ? [] : await media.store(plan.inline.map(({ url }) => decoded(url)));
  const items = [...plan.items];
  plan.inline.forEach(({ index }, position) => {
    const [item, id] = [items[index], stored[position]];
    if (item !== undefined && id !== undefined) items[index] = { ...item, url: `${MEDIA_PATH}${id}` };
  });
  const shown = items.flatMap(({ url, filename }) => {
    const id = url.startsWith(MEDIA_PATH) ? url.slice(MEDIA_PATH.length) : undefined;
    return id === undefined ? [] : [{ id, ...(filename === undefined ? {} : { filename }) }];
  });
  const gone = shown.length === 0 ? [] : await media.claim(shown, ownerId);
  if (gone.length === 0) return { ok: true, items, stored };
  await media.discard(stored);
  return { ok: false, faults: missingFaults(plan, gone) };
}

/** Faults for references to media that does not exist. */
function missingFaults(plan: MediaPlan, missing: readonly string[]): FieldFault[] {
  return plan.referenced
    .filter(({ id }) => missing.includes(id))
    .map(({ index }) => ({
      path: `/media/${index}/url`,
      message: "url names stored media that does not exist",
    }));
}

function decoded(url: string) {
  const image = decodeDataImage(url);
  if (!image.ok) throw new ServiceFailure("invariant_broken", { retry: "never", message: image.message });
  return { bytes: image.bytes, contentType: image.mime };
}
