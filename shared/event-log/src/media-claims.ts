import { ServiceFailure } from "@interlude/kernel";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import { lastMessage, mediaFailure, purgeSubject } from "./media-objects.ts";
import { historyFilter } from "./subjects.ts";
import { STREAMS } from "./streams.ts";

/** What shows a piece of media. */
export type MediaOwner = { kind: "interaction" | "notification"; id: string };

export type LastClaim = {
  owner: MediaOwner;
  subject: string;
  claimedAtMs: number;
  filename: string | undefined;
};

/** One message for each pair of media and owner, so that whether anybody claims it is one read. */
export const CLAIMS_STREAM = "MEDIA_CLAIMS";
const ROOT = "media.claimed";
export const CLAIM_SUBJECTS = `${ROOT}.*.*.*`;
const TOKEN = /^[A-Za-z0-9_-]{1,128}$/;

function claimsOf(mediaId: string): string {
  return `${ROOT}.${mediaId}.*.*`;
}

export async function writeClaim(
  log: Log,
  mediaId: string,
  owner: MediaOwner,
  filename?: string,
): Promise<void> {
  requireUp(log);
  if (!TOKEN.test(mediaId) || !TOKEN.test(owner.id)) {
    throw new ServiceFailure("invariant_broken", {
      retry: "never",
      message: "a claim's ids must be subject tokens",
    });
  }
  try {
    await log.jetstream.publish(`${ROOT}.${mediaId}.${owner.kind}.${owner.id}`, JSON.stringify({ filename }));
  } catch (cause) {
    throw mediaFailure(cause);
  }
}

/** The newest claim as the leader has it; `undefined`: nobody claims it. @throws ServiceFailure when it cannot be known. */
export async function readLastClaim(log: Log, mediaId: string): Promise<LastClaim | undefined> {
  const message = await lastMessage(log, CLAIMS_STREAM, claimsOf(mediaId));
  if (message === undefined) return undefined;
  const [, , , kind, id = ""] = message.subject.split(".");
  return {
    owner: { kind: kind === "notification" ? "notification" : "interaction", id },
    subject: message.subject,
    claimedAtMs: message.time.getTime(),
    filename: filenameIn(message.data),
  };
}

function filenameIn(data: Uint8Array): string | undefined {
  const value: unknown = JSON.parse(Buffer.from(data).toString("utf8"));
  const named =
    typeof value === "object" && value !== null && "filename" in value ? value.filename : undefined;
  return typeof named === "string" ? named : undefined;
}

export async function dropClaim(log: Log, claim: LastClaim): Promise<void> {
  await purgeSubject(log, CLAIMS_STREAM, claim.subject);
}

export async function dropClaims(log: Log, mediaId: string): Promise<void> {
  await purgeSubject(log, CLAIMS_STREAM, claimsOf(mediaId));
}

/** Does the log hold anything of the question or notification? @throws ServiceFailure when it cannot be known. */
export async function isOwnerStored(log: Log, owner: MediaOwner): Promise<boolean> {
  const found =
    owner.kind === "interaction"
      ? await lastMessage(log, STREAMS.interactions, historyFilter(owner.id))
      : await lastMessage(log, STREAMS.notifications, `notifications.*.*.*.${owner.id}`);
  return found !== undefined;
}
