import type { Log } from "./connect.ts";
import { readFewLastMessages, type StoredMessage } from "./direct-get.ts";
import { readStoredRun } from "./read-stored-run.ts";
import type { RunHistory } from "./run-store.ts";
import { type ParkAddress, parseRunSubject, runFilter } from "./run-subjects.ts";
import { STREAMS } from "./streams.ts";

/** A few parks, each with every event it can have; what has more is read piece by piece. */
const MOST = 32;

/**
 * What a decision about a park needs of its run, in one request, as one replica has it; `undefined` of a run
 * that has much. @throws ServiceFailure `log_unavailable`, `event_unreadable`
 */
export async function glimpseRun(
  log: Log,
  address: ParkAddress,
  shownAs: string | undefined,
): Promise<RunHistory | undefined> {
  const messages = await readFewLastMessages(log, STREAMS.runs, runFilter(address), MOST);
  if (messages === undefined) return undefined;
  const { parkToken } = address;
  const lastClaimed = tokenOf(messages.findLast(({ subject }) => eventOf(subject) === "claimed"));
  // Only what is decided on is parsed: what else is damaged in the run is none of this park's business.
  const of = (token: string | undefined) =>
    token === undefined ? [] : messages.filter((each) => tokenOf(each) === token).map(readStoredRun);
  return {
    park: of(parkToken),
    otherPark: lastClaimed === parkToken ? [] : of(lastClaimed),
    position: messages.at(-1)?.seq ?? 0,
    isNameTaken: shownAs !== undefined && shownAs !== parkToken && isTaken(messages, parkToken, shownAs),
  };
}

function isTaken(messages: readonly StoredMessage[], parkToken: string, shownAs: string): boolean {
  return messages
    .filter((each) => eventOf(each.subject) === "parked" && tokenOf(each) !== parkToken)
    .map(readStoredRun)
    .some(({ entry }) => "type" in entry && entry.data.park_id === shownAs);
}

function eventOf(subject: string): string | undefined {
  return parseRunSubject(subject)?.event;
}

function tokenOf(message: StoredMessage | undefined): string | undefined {
  return message === undefined ? undefined : parseRunSubject(message.subject)?.address.parkToken;
}
