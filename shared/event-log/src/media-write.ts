import { createHash, randomBytes } from "node:crypto";
import { ServiceFailure } from "@interlude/kernel";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import {
  CHUNK_BYTES,
  chunkSubject,
  type Description,
  MEDIA_STORE,
  mediaFailure,
  purgeObject,
  writeDescription,
} from "./media-objects.ts";

export type ByteSource = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Chunks on their way at a time: enough to hide the round trip, and one megabyte of memory an upload. */
const IN_FLIGHT = 8;

type Written = { size: number; digest: string; sequences: number[] };

/** Stores the bytes of `source` under a new id; nothing remains when the source or the log fails. */
export async function writeObject(log: Log, source: ByteSource, contentType: string): Promise<Description> {
  const id = randomBytes(32).toString("base64url");
  const sent: Promise<number>[] = [];
  const begun = describe(id, contentType, "uploading", { size: 0, digest: "", sequences: [] });
  const revision = await writeDescription(log, begun, 0);
  try {
    const finished = describe(id, contentType, undefined, await writeChunks(log, id, source, sent));
    if (revision === undefined || (await writeDescription(log, finished, revision)) === undefined) {
      throw new ServiceFailure("log_unavailable", {
        retry: "later",
        message: "the upload was given up as too old",
      });
    }
    return finished;
  } catch (error) {
    await takeBack(log, id, sent).catch(() => undefined);
    throw error;
  }
}

/**
 * Removes what was stored of an upload that failed. A purge may overtake a chunk on its way, so they are all
 * waited for; where one's fate is unknown the description stays, and with it the sweep's way to find the rest.
 */
async function takeBack(log: Log, id: string, sent: readonly Promise<number>[]): Promise<void> {
  const outcomes = await Promise.allSettled(sent);
  if (outcomes.every(({ status }) => status === "fulfilled")) await purgeObject(log, id);
}

function describe(
  id: string,
  contentType: string,
  state: "uploading" | undefined,
  { size, digest, sequences }: Written,
): Description {
  return {
    name: id,
    bucket: MEDIA_STORE,
    nuid: id,
    size,
    chunks: sequences.length,
    mtime: new Date().toISOString(),
    digest: digest === "" ? "" : `SHA-256=${digest}`,
    deleted: state !== undefined,
    options: { max_chunk_size: CHUNK_BYTES },
    metadata: {
      content_type: contentType,
      sequences: sequences.join(","),
      ...(state === undefined ? {} : { state }),
    },
  };
}

async function writeChunks(
  log: Log,
  id: string,
  source: ByteSource,
  sent: Promise<number>[],
): Promise<Written> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of chunksOf(source)) {
    hash.update(chunk);
    size += chunk.length;
    const publishing = publishChunk(log, id, chunk);
    // Its failure is met when it is awaited below; until then it must not count as unhandled.
    publishing.catch(() => undefined);
    sent.push(publishing);
    await sent.at(-IN_FLIGHT);
  }
  const sequences = await Promise.all(sent);
  // The client may send again what found no leader, behind what came later: such an object would be scrambled.
  const isInOrder = sequences.every(
    (sequence, index) => index === 0 || sequence > (sequences[index - 1] ?? 0),
  );
  if (!isInOrder)
    throw new ServiceFailure("log_unavailable", {
      retry: "later",
      message: "chunks were stored out of order",
    });
  return { size, digest: `${hash.digest("base64url")}=`, sequences };
}

async function publishChunk(log: Log, id: string, chunk: Uint8Array): Promise<number> {
  requireUp(log);
  try {
    return (await log.jetstream.publish(chunkSubject(id), chunk)).seq;
  } catch (cause) {
    throw mediaFailure(cause);
  }
}

/** Cuts what comes into chunks of the store's size. Each is a buffer of its own: the last ones are still being sent. */
async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;
  for await (const bytes of source) {
    for (let from = 0; from < bytes.length;) {
      const piece = bytes.subarray(from, from + CHUNK_BYTES - filled);
      chunk.set(piece, filled);
      filled += piece.length;
      from += piece.length;
      if (filled === CHUNK_BYTES) {
        yield chunk;
        chunk = Buffer.allocUnsafe(CHUNK_BYTES);
        filled = 0;
      }
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}
