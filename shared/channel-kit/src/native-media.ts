import type { MediaItem } from "@interlude/contract";

/** Ours: more than this many messages of media would bury the question. */
const NATIVE_MEDIA_MAX = 10;

/** What is sent as itself, and what the text gets as links. */
export function nativeMedia(
  media: readonly MediaItem[],
  isNative: (item: MediaItem) => boolean,
): { native: readonly MediaItem[]; links: readonly MediaItem[] } {
  const native = media.filter(isNative).slice(0, NATIVE_MEDIA_MAX);
  return { native, links: media.filter((item) => !native.includes(item)) };
}
