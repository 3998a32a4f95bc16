import type { MediaOwner, MediaStore } from "@interlude/event-log";
import type { AskMedia } from "../application/ports.ts";

/** Media in the log's object store, shown by questions or by notifications. */
export function storedAskMedia(store: MediaStore, kind: MediaOwner["kind"]): AskMedia {
  return {
    async types(ids) {
      const heads = await Promise.all([...new Set(ids)].map((id) => store.head(id)));
      return new Map(heads.flatMap((head) => (head === undefined ? [] : [[head.id, head.contentType]])));
    },
    async store(images) {
      const stored: string[] = [];
      for (const { bytes, contentType } of images) {
        const { id } = await store.put([bytes], contentType);
        stored.push(id);
      }
      return stored;
    },
    claim: (shown, id) => store.claim(shown, { kind, id }),
    discard: (ids) => (ids.length === 0 ? Promise.resolve() : store.remove(ids)),
  };
}
