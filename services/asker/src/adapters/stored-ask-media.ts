import type { MediaStore } from "@interlude/event-log";
import type { AskMedia } from "../application/ports.ts";

/** Media of asks in the log's object store. */
export function storedAskMedia(store: MediaStore): AskMedia {
  return {
    async missing(ids) {
      const heads = await Promise.all(ids.map((id) => store.head(id)));
      return ids.filter((_, index) => heads[index] === undefined);
    },
    async store(images) {
      const stored: string[] = [];
      for (const { bytes, contentType } of images) {
        const { id } = await store.put([bytes], contentType);
        stored.push(id);
      }
      return stored;
    },
    claim: (shown, interactionId) => store.claim(shown, { kind: "interaction", id: interactionId }),
    discard: (ids) => (ids.length === 0 ? Promise.resolve() : store.remove(ids)),
  };
}
