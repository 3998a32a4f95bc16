import { dropClaim, dropClaims, isOwnerStored, readLastClaim } from "./media-claims.ts";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import { directGet } from "./direct-get.ts";
import {
  ALL_DESCRIPTIONS,
  type Described,
  MEDIA_STREAM,
  parseDescription,
  purgeObject,
  readDescription,
  writeDescription,
} from "./media-objects.ts";

/** What keeps and ends stored media. Every method throws a ServiceFailure rather than guess. */
export interface MediaCustody {
  /** Ids of all that was stored before `atMs` by the log's clock, half-stored things included, oldest first. */
  storedBefore(atMs: number): AsyncIterable<string>;
  /**
   * Does a question or notification of the log show it? Claims made before `lapsedBeforeMs` whose owner is
   * not in the log are dropped on the way.
   */
  isClaimed(id: string, lapsedBeforeMs: number): Promise<boolean>;
  /** Removes it, unless somebody claims it at the same moment; `false`: it stays. */
  discard(id: string): Promise<boolean>;
  /** The name that the newest owner gave to it. */
  claimedName(id: string): Promise<string | undefined>;
}

const BATCH = 256;

export function createMediaCustody(log: Log): MediaCustody {
  return {
    storedBefore: (atMs) => storedBefore(log, atMs),

    async isClaimed(id, lapsedBeforeMs) {
      for (;;) {
        const claim = await readLastClaim(log, id);
        if (claim === undefined) return false;
        if (claim.claimedAtMs >= lapsedBeforeMs || (await isOwnerStored(log, claim.owner))) return true;
        await dropClaim(log, claim);
      }
    },

    async discard(id) {
      const found = await readDescription(log, id);
      if (found === undefined) return false;
      const { state } = found.description.metadata;
      const isEnding = state === "dead" || state === "uploading";
      const isDecided = isEnding ? await mark(log, found, "dead") : await condemn(log, found);
      if (isDecided === undefined) return false;
      await purgeObject(log, id);
      await dropClaims(log, id);
      return true;
    },

    async claimedName(id) {
      return (await readLastClaim(log, id))?.filename;
    },
  };
}

/**
 * Marks first, looks for claims then: an asker claims first and looks for the mark then, so at least one of
 * them sees the other. Each step expects the one before, so that of two sweeps only one goes through.
 */
async function condemn(log: Log, found: Described): Promise<number | undefined> {
  const revision = await mark(log, found, "condemned");
  if (revision === undefined) return undefined;
  const condemned = { ...found, revision };
  if ((await readLastClaim(log, found.description.name)) === undefined) return mark(log, condemned, "dead");
  await mark(log, condemned, undefined);
  return undefined;
}

/** `undefined`: another process has changed it since. */
function mark(
  log: Log,
  found: Described,
  state: "condemned" | "dead" | undefined,
): Promise<number | undefined> {
  const { state: _, ...kept } = found.description.metadata;
  const metadata = state === undefined ? kept : { ...kept, state };
  return writeDescription(
    log,
    { ...found.description, deleted: state !== undefined, metadata },
    found.revision,
  );
}

async function* storedBefore(log: Log, atMs: number): AsyncGenerator<string> {
  for (let sequence = 1; ;) {
    const batch = await readDescriptions(log, sequence);
    for (const { seq, time, data } of batch) {
      if (time.getTime() >= atMs) return;
      sequence = seq + 1;
      if (data.length > 0) yield parseDescription(data).name;
    }
    if (batch.length < BATCH) return;
  }
}

async function readDescriptions(log: Log, fromSequence: number) {
  requireUp(log);
  const request = { seq: fromSequence, batch: BATCH, next_by_subj: ALL_DESCRIPTIONS };
  return directGet(log, MEDIA_STREAM, request);
}
