import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream";
import { headers } from "@nats-io/nats-core";
import { ServiceFailure } from "@interlude/kernel";
import { z } from "zod";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";

/**
 * Stored media is kept in the format of NATS object stores, so that `nats object ls` and `get` work on it:
 * chunks on one subject, and a last message that describes them. We write it ourselves because the
 * description carries each chunk's sequence, which is what makes a range readable without the rest.
 *
 * A description is there before the first chunk, marked as deleted, and after the last one: whatever a
 * killed process leaves behind is found by walking the descriptions alone.
 */
export const MEDIA_STORE = "MEDIA";
export const MEDIA_STREAM = `OBJ_${MEDIA_STORE}`;
export const CHUNK_BYTES = 128 * 1_024;
export const ALL_DESCRIPTIONS = `$O.${MEDIA_STORE}.M.*`;

/** `deleted` for other readers of the store; `state` says why it is not to be read. */
const Description = z.object({
  name: z.string(),
  bucket: z.string(),
  nuid: z.string(),
  size: z.number(),
  chunks: z.number(),
  mtime: z.string(),
  digest: z.string(),
  deleted: z.boolean(),
  options: z.object({ max_chunk_size: z.number() }),
  metadata: z.object({
    content_type: z.string(),
    /** Sequences of the chunks in order, with commas. */
    sequences: z.string(),
    state: z.enum(["uploading", "condemned", "dead"]).optional(),
  }),
});
export type Description = z.infer<typeof Description>;

/** A description with its place in the log: `revision` is what the next one is expected to follow. */
export type Described = { description: Description; revision: number; storedAtMs: number };

const STREAM_FULL_CODES: readonly number[] = [10077, 10122, 10047];

export function chunkSubject(id: string): string {
  return `$O.${MEDIA_STORE}.C.${id}`;
}

function descriptionSubject(id: string): string {
  const name = Buffer.from(id, "utf8").toString("base64").replaceAll("+", "-").replaceAll("/", "_");
  return `$O.${MEDIA_STORE}.M.${name}`;
}

export function parseDescription(data: Uint8Array): Description {
  try {
    return Description.parse(JSON.parse(Buffer.from(data).toString("utf8")));
  } catch (cause) {
    throw new ServiceFailure("event_unreadable", {
      retry: "never",
      cause,
      message: "a stored media description is damaged",
    });
  }
}

/** The last message on a subject (or filter) as the stream's leader has it. @throws ServiceFailure `log_unavailable` */
export async function lastMessage(log: Log, stream: string, subject: string) {
  requireUp(log);
  try {
    return (await log.manager.streams.getMessage(stream, { last_by_subj: subject })) ?? undefined;
  } catch (cause) {
    if (cause instanceof JetStreamApiError && cause.code === JetStreamApiCodes.NoMessageFound)
      return undefined;
    throw mediaFailure(cause);
  }
}

export async function readDescription(log: Log, id: string): Promise<Described | undefined> {
  const message = await lastMessage(log, MEDIA_STREAM, descriptionSubject(id));
  if (message === undefined || message.data.length === 0) return undefined;
  return {
    description: parseDescription(message.data),
    revision: message.seq,
    storedAtMs: message.time.getTime(),
  };
}

/**
 * Replaces a description if its last revision still is `expected`; without one, whatever stands there.
 * `undefined`: somebody else has changed it.
 */
export async function writeDescription(
  log: Log,
  description: Description,
  expected?: number,
): Promise<number | undefined> {
  requireUp(log);
  const replaceOlder = headers();
  replaceOlder.set("Nats-Rollup", "sub");
  try {
    const ack = await log.jetstream.publish(
      descriptionSubject(description.name),
      JSON.stringify(description),
      {
        headers: replaceOlder,
        ...(expected === undefined ? {} : { expect: { lastSubjectSequence: expected } }),
      },
    );
    return ack.seq;
  } catch (cause) {
    if (cause instanceof JetStreamApiError && isConflict(cause.code)) return undefined;
    throw mediaFailure(cause);
  }
}

function isConflict(code: number): boolean {
  return (
    code === JetStreamApiCodes.StreamWrongLastSequence ||
    code === JetStreamApiCodes.StreamWrongLastSequenceUnknown
  );
}

/** Removes the bytes, then the description: interrupted in between, the description is found again. */
export async function purgeObject(log: Log, id: string): Promise<void> {
  await purgeSubject(log, MEDIA_STREAM, chunkSubject(id));
  await purgeSubject(log, MEDIA_STREAM, descriptionSubject(id));
}

/** With `upTo`, what was stored later stays. */
export async function purgeSubject(log: Log, stream: string, filter: string, upTo?: number): Promise<void> {
  requireUp(log);
  try {
    await log.manager.streams.purge(stream, { filter, ...(upTo === undefined ? {} : { seq: upTo + 1 }) });
  } catch (cause) {
    throw mediaFailure(cause);
  }
}

export function mediaFailure(cause: unknown): ServiceFailure {
  if (cause instanceof ServiceFailure) return cause;
  const isFull = cause instanceof JetStreamApiError && STREAM_FULL_CODES.includes(cause.code);
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ServiceFailure(isFull ? "log_full" : "log_unavailable", { retry: "later", cause, message });
}
