import type { RunEventType } from "@interlude/contract";
import { parkSetId } from "@interlude/domain";
import { ServiceFailure, sha256Base64Url, subjectToken } from "@interlude/kernel";

/**
 * Where a park lives: `runs.<event>.<driver>.<run>.<park>`. The park's token is made of its set of questions,
 * whatever id it is shown under.
 */
export type ParkAddress = Readonly<{ driver: string; runToken: string; parkToken: string }>;

export function parkAddress(driver: string, runId: string, interactionIds: readonly string[]): ParkAddress {
  return { driver, runToken: subjectToken(runId), parkToken: parkSetId(interactionIds) };
}

const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether every part can stand in a subject, where any other would name other runs (`*`, `>`) or another place. */
export function isParkAddress({ driver, runToken, parkToken }: ParkAddress): boolean {
  return TOKEN.test(driver) && TOKEN.test(runToken) && TOKEN.test(parkToken);
}

/** Where what was said in a conversation is: no park has such a token. */
export function turnAddress(driver: string, runId: string, turnId: string): ParkAddress {
  return { driver, runToken: subjectToken(runId), parkToken: turnId };
}

/** The id of a turn, made of what tells a repeat of it. */
export function turnId(channel: string, updateId: string): string {
  return `${TURN}${sha256Base64Url("turn", channel, updateId)}`;
}

const TURN = "t_";

/** Whether it is where something was said. */
export function isTurnAddress({ parkToken }: ParkAddress): boolean {
  return parkToken.startsWith(TURN);
}

/** A driver's run of a conversation: the same for all that is said in it. */
export function conversationRunId(thread: string): string {
  return `${CONVERSATION_RUN}${thread}`;
}

/** Whether it can be the run of a conversation, which is looked at before anything is read. */
export function isConversationRun({ runToken }: ParkAddress): boolean {
  return runToken.startsWith(CONVERSATION_RUN) && runToken.length === CONVERSATION_RUN_LENGTH;
}

const CONVERSATION_RUN = "c_";
/** The token of a conversation is a hash. */
const CONVERSATION_RUN_LENGTH = 45;

/**
 * The subject of one event and the subjects whose last sequence it is expected to follow, from one place: the
 * server does not check that they match. Those of an event are all among which one claim lives, so that of two claims
 * one wins, whichever parks they are of; a turn, and a request to resume, has a place of its own and is stored once.
 */
export function runSubject(event: RunEventType, address: ParkAddress): { subject: string; filter: string } {
  requireAddress(address);
  const { driver, runToken, parkToken } = address;
  const subject = `runs.${event}.${driver}.${runToken}.${parkToken}`;
  const isOnce = event === "resume_requested" || event === "turn_received";
  return { subject, filter: isOnce ? subject : claimScope(address) };
}

/**
 * All events, or one, of what has at most one claim that lives: a run, whichever parks it has; a conversation,
 * whichever drivers have a run of it.
 */
export function claimScope(address: ParkAddress, event: RunEventType | "*" = "*"): string {
  requireAddress(address);
  const driver = isConversationRun(address) ? "*" : address.driver;
  return `runs.${event}.${driver}.${address.runToken}.*`;
}

export function isSamePark(one: ParkAddress, other: ParkAddress | undefined): boolean {
  return other !== undefined && parkFilter(one) === parkFilter(other);
}

/** Everything of the run. */
export function runFilter(address: ParkAddress): string {
  requireAddress(address);
  return `runs.*.${address.driver}.${address.runToken}.*`;
}

/** Everything of the park. */
export function parkFilter(address: ParkAddress): string {
  requireAddress(address);
  return `runs.*.${address.driver}.${address.runToken}.${address.parkToken}`;
}

/** One event of every park of the run. */
export function runEventFilter(event: RunEventType, address: ParkAddress): string {
  requireAddress(address);
  return `runs.${event}.${address.driver}.${address.runToken}.*`;
}

/** The address out of a stored subject; `undefined` where it is not a run's. */
export function parseRunSubject(subject: string): { event: string; address: ParkAddress } | undefined {
  const [root, event, driver, runToken, parkToken, ...rest] = subject.split(".");
  if (root !== "runs" || rest.length > 0) return undefined;
  if (event === undefined || driver === undefined || runToken === undefined || parkToken === undefined)
    return undefined;
  return { event, address: { driver, runToken, parkToken } };
}

export function isDriverName(name: string): boolean {
  return TOKEN.test(name);
}

export function driverSubject(name: string): { subject: string; filter: string } {
  if (!isDriverName(name)) throw broken({ driver: name });
  return { subject: `drivers.registered.${name}`, filter: `drivers.*.${name}` };
}

function requireAddress(address: ParkAddress): void {
  if (!isParkAddress(address)) throw broken(address);
}

function broken(context: Readonly<Record<string, string>>): ServiceFailure {
  return new ServiceFailure("invariant_broken", { retry: "never", context });
}
