import type { MediaItem } from "@interlude/contract";

/** A medium without a place for them gets what they are called and where they are, a line each. */
export function mediaLine({ caption, filename, url }: MediaItem): string {
  const name = caption ?? filename;
  return name === undefined ? url : `${name}: ${url}`;
}

/** Text with the links of media under it. */
export function withMediaLines(text: string, media: readonly MediaItem[]): string {
  return media.length === 0 ? text : [text, "", ...media.map(mediaLine)].join("\n");
}
