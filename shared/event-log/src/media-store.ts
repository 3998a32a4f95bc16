import { dropClaims, type MediaOwner, writeClaim } from "./media-claims.ts";
import type { Log } from "./connect.ts";
import { type Described, purgeObject, readDescription, writeDescription } from "./media-objects.ts";
import { type ByteRange, readObject } from "./media-read.ts";
import { type ByteSource, writeObject } from "./media-write.ts";

export type StoredMedia = {
  /** 43 characters of base64url, 32 random bytes: whoever has it may read. */
  id: string;
  contentType: string;
  size: number;
  /** A strong entity tag with its quotes, made of the bytes' SHA-256. */
  etag: string;
  storedAtMs: number;
};

export type ReadableMedia = StoredMedia & {
  /** The bytes, or those of a range within them, in pieces as they are asked for. */
  read(range?: ByteRange): AsyncIterable<Uint8Array>;
};

/** `filename` is the name the owner gives to it. */
export type MediaClaim = { id: string; filename?: string };

/** Bytes by id. Every method throws ServiceFailure `log_unavailable` while NATS is away, `log_full` when it takes no more. */
export interface MediaStore {
  /** Stores bytes as they come. Nothing remains when the source throws, and its error is passed on. */
  put(source: ByteSource, contentType: string): Promise<StoredMedia>;
  /** What is stored under the id, on any replica as soon as `put` has returned. */
  head(id: string): Promise<ReadableMedia | undefined>;
  /**
   * Keeps media for as long as its owner is in the log; to be called before the owner is appended. Returns the
   * ids that do not exist (then the owner must not be appended). A claim whose owner never comes lapses.
   */
  claim(items: readonly MediaClaim[], owner: MediaOwner): Promise<readonly string[]>;
  /** Removes media that nobody else can know yet, and its claims; what does not exist is passed over. */
  remove(ids: readonly string[]): Promise<void>;
}

const PATH = "/api/interactions/media/";

/** The reference by which stored media is shown and served. */
export function mediaPath(id: string): string {
  return `${PATH}${id}`;
}

export function createMediaStore(log: Log): MediaStore {
  async function head(id: string): Promise<ReadableMedia | undefined> {
    const found = await readDescription(log, id);
    return found === undefined || found.description.deleted ? undefined : readable(log, found);
  }

  async function missingOf(items: readonly MediaClaim[]): Promise<string[]> {
    const found = await Promise.all(items.map(({ id }) => head(id)));
    return items.filter((_, index) => found[index] === undefined).map(({ id }) => id);
  }

  return {
    head,
    async put(source, contentType) {
      const storedAtMs = log.clock.nowMs();
      const description = await writeObject(log, source, contentType);
      const { id, size, etag } = readable(log, { description, revision: 0, storedAtMs });
      return { id, contentType, size, etag, storedAtMs };
    },

    async claim(items, owner) {
      const missing = await missingOf(items);
      if (missing.length > 0) return missing;
      await Promise.all(items.map(({ id, filename }) => writeClaim(log, id, owner, filename)));
      // Looked at again after the claim stands: a sweep marks before it looks for claims, so one sees the other.
      return missingOf(items);
    },

    async remove(ids) {
      await Promise.all(ids.map((id) => removeOne(log, id)));
    },
  };
}

async function removeOne(log: Log, id: string): Promise<void> {
  const found = await readDescription(log, id);
  if (found === undefined) return;
  const { description } = found;
  const metadata = { ...description.metadata, state: "dead" as const };
  await writeDescription(log, { ...description, deleted: true, metadata });
  await purgeObject(log, id);
  await dropClaims(log, id);
}

function readable(log: Log, { description, storedAtMs }: Described): ReadableMedia {
  const { name: id, size, digest, metadata } = description;
  return {
    id,
    contentType: metadata.content_type,
    size,
    etag: `"${digest.slice("SHA-256=".length).replace(/=+$/, "")}"`,
    storedAtMs,
    read: (range = { first: 0, last: size - 1 }) => readObject(log, description, range),
  };
}
