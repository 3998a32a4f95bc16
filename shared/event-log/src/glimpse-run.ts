import type { Log } from "./connect.ts";
import { readFewLastMessages, type StoredMessage } from "./direct-get.ts";
import { readStoredRun } from "./read-stored-run.ts";
import type { RunHistory } from "./run-store.ts";
import { claimScope, isSamePark, type ParkAddress, parseRunSubject } from "./run-subjects.ts";
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
  const messages = await readFewLastMessages(log, STREAMS.runs, claimScope(address), MOST);
  if (messages === undefined) return undefined;
  const lastClaimed = addressOf(messages.findLast(({ subject }) => eventOf(subject) === "claimed"));
  // Only what is decided on is parsed: what else is damaged in the run is none of this park's business.
  const of = (park: ParkAddress | undefined) =>
    messages.filter((each) => isAt(park, each)).map(readStoredRun);
  return {
    park: of(address),
    otherPark: isSamePark(address, lastClaimed) ? [] : of(lastClaimed),
    position: messages.at(-1)?.seq ?? 0,
    isNameTaken:
      shownAs !== undefined && shownAs !== address.parkToken && isTaken(messages, address, shownAs),
  };
}

function isTaken(messages: readonly StoredMessage[], address: ParkAddress, shownAs: string): boolean {
  return messages
    .filter((each) => eventOf(each.subject) === "parked" && !isAt(address, each))
    .filter((each) => addressOf(each)?.driver === address.driver)
    .map(readStoredRun)
    .some(({ entry }) => "type" in entry && entry.data.park_id === shownAs);
}

function eventOf(subject: string): string | undefined {
  return parseRunSubject(subject)?.event;
}

function addressOf(message: StoredMessage | undefined): ParkAddress | undefined {
  return message === undefined ? undefined : parseRunSubject(message.subject)?.address;
}

function isAt(park: ParkAddress | undefined, message: StoredMessage): boolean {
  const address = addressOf(message);
  return address !== undefined && isSamePark(address, park);
}
