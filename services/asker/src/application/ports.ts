/** Where the bytes of inline images go, and what a reference leads to. */
export interface AskMedia {
  /** The types of the ids as they are stored; an id that is not stored is absent. */
  types(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Keeps the images and returns their ids, in order. */
  store(images: readonly { bytes: Uint8Array; contentType: string }[]): Promise<readonly string[]>;
  /** Says that a question or notification shows these, before it is stored; returns the ids that are gone by now. */
  claim(shown: readonly { id: string; filename?: string }[], ownerId: string): Promise<readonly string[]>;
  /** Takes back what was stored for a question that was then not asked. */
  discard(ids: readonly string[]): Promise<void>;
}
