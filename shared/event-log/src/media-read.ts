import { ServiceFailure } from "@interlude/kernel";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import { directGet } from "./direct-get.ts";
import { chunkSubject, type Description, MEDIA_STREAM } from "./media-objects.ts";

/** Positions of the first and last byte, both included. */
export type ByteRange = { first: number; last: number };

/** Chunks fetched at a time: a slow reader holds one megabyte, whatever the size. */
const WINDOW = 8;
const MAX_ATTEMPTS = 10;

/** The bytes of a range, read from the chunks that hold it and no others. */
export async function* readObject(
  log: Log,
  description: Description,
  range: ByteRange,
): AsyncGenerator<Uint8Array> {
  const size = description.options.max_chunk_size;
  const sequences = description.metadata.sequences.split(",").map(Number);
  const lastChunk = Math.floor(range.last / size);
  for (let at = Math.floor(range.first / size); at <= lastChunk; at += WINDOW) {
    const wanted = sequences.slice(at, Math.min(at + WINDOW, lastChunk + 1));
    for (const [index, chunk] of (await readWindow(log, description.nuid, wanted)).entries()) {
      const start = (at + index) * size;
      yield chunk.subarray(Math.max(0, range.first - start), range.last - start + 1);
    }
  }
}

async function readWindow(log: Log, nuid: string, sequences: readonly number[]): Promise<Uint8Array[]> {
  // Any replica may answer, and one that is behind does not have the newest chunks yet.
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const chunks = await tryWindow(log, nuid, sequences);
    if (chunks !== undefined) return chunks;
    await new Promise((resolve) => setTimeout(resolve, 10 * attempt));
  }
  throw new ServiceFailure("object_missing", {
    retry: "later",
    message: "stored media is no longer complete",
  });
}

async function tryWindow(
  log: Log,
  nuid: string,
  sequences: readonly number[],
): Promise<Uint8Array[] | undefined> {
  requireUp(log);
  const chunks: Uint8Array[] = [];
  const request = { seq: sequences[0] ?? 0, batch: sequences.length, next_by_subj: chunkSubject(nuid) };
  for (const message of await directGet(log, MEDIA_STREAM, request)) {
    if (message.seq !== sequences[chunks.length]) return undefined;
    chunks.push(message.data);
  }
  return chunks.length === sequences.length ? chunks : undefined;
}
