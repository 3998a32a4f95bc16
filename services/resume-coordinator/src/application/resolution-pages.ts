import type { FieldFault, Parsed, Resolution, ResolutionPage } from "@interlude/contract";

/** More than this, counted as JSON, is paged: a claim stays a message of a size that any client takes. */
const MAX_ITEMS = 100;
const MAX_BYTES = 256 * 1024;

const CURSOR = /^[1-9]\d{0,5}$/;
const BAD_CURSOR: FieldFault = {
  path: "cursor",
  message: "cursor must be a next_cursor of this claim's resolutions",
};

/** Takes resolutions until a page is full, whatever the size of one of them. */
export type PageFill = {
  readonly items: Resolution[];
  /** `false`: it does not fit any more, and stands on the next page. */
  add(resolution: Resolution): boolean;
};

export function createPageFill(): PageFill {
  const items: Resolution[] = [];
  let bytes = 0;
  return {
    items,
    add(resolution) {
      const size = Buffer.byteLength(JSON.stringify(resolution));
      // One that is larger than a page still has to be told.
      const isFull = items.length >= MAX_ITEMS || (items.length > 0 && bytes + size > MAX_BYTES);
      if (isFull) return false;
      items.push(resolution);
      bytes += size;
      return true;
    },
  };
}

/** @param total how many resolutions there are in all */
export function pageOf(start: number, fill: PageFill, total: number): ResolutionPage {
  const next = start + fill.items.length;
  return { items: fill.items, next_cursor: next < total ? writeCursor(next) : null };
}

/** A set never changes, so a place in it is a cursor. */
export function readCursor(text: string | null, total: number): Parsed<number> {
  if (text === null) return { ok: true, value: 0 };
  const place = Number(Buffer.from(text, "base64url").toString("latin1"));
  const isOurs = CURSOR.test(String(place)) && place < total && writeCursor(place) === text;
  return isOurs ? { ok: true, value: place } : { ok: false, faults: [BAD_CURSOR] };
}

function writeCursor(place: number): string {
  return Buffer.from(String(place), "latin1").toString("base64url");
}
