import { formatInstant, type ResumeRequestedData, runCeType, type RunEvent } from "@interlude/contract";
import { ServiceFailure } from "@interlude/kernel";
import type { StoredMsg } from "@nats-io/jetstream";
import type { MsgHdrs } from "@nats-io/nats-core";
import { appendMessage, type AppendOutcome } from "./append.ts";
import type { Log } from "./connect.ts";
import { readLastMessages } from "./direct-get.ts";
import { cloudEventHeaders } from "./envelope.ts";
import { glimpseRun } from "./glimpse-run.ts";
import type { Write } from "./interaction-store.ts";
import { lastMessage } from "./media-objects.ts";
import { isNameTaken } from "./park-name.ts";
import { readStoredRun, type StoredRunEntry } from "./read-stored-run.ts";
import {
  claimScope,
  isParkAddress,
  isSamePark,
  type ParkAddress,
  parkFilter,
  parseRunSubject,
  runSubject,
} from "./run-subjects.ts";
import { reachLeader } from "./reach-leader.ts";
import { STREAMS } from "./streams.ts";

/** What a decision about a park needs of its run. */
export type RunHistory = Readonly<{
  /** The last event of each type of the park, in log order. */
  park: readonly StoredRunEntry[];
  /** The same of the park that has the run's, or the conversation's, last claim, when that is another one. */
  otherPark: readonly StoredRunEntry[];
  /** The last sequence over the whole run, or conversation; 0: none. */
  position: number;
  /** Another park of the run is shown under the id that was asked about. */
  isNameTaken: boolean;
}>;

/** What deciders need of the log of runs. */
export interface RunStore {
  /**
   * As one replica has it, which may lack the latest: to store by, which proves it. `undefined`: of a run that has
   * much, `read` is the quicker. @throws ServiceFailure
   */
  glimpse(address: ParkAddress, shownAs?: string): Promise<RunHistory | undefined>;
  /**
   * Includes every write acknowledged before, on any replica. With `shownAs`, also whether that id is free for this
   * park. An address that is none has no history. @throws ServiceFailure
   */
  read(address: ParkAddress, shownAs?: string): Promise<RunHistory>;
  /** Stores one event if the run's last sequence is still `position`. @throws ServiceFailure */
  append(event: RunEvent, address: ParkAddress, position: number, write: Write): Promise<AppendOutcome>;
  /**
   * Sees to it that the park is asked to go on: it is stored once, however often it is asked for and by however
   * many. Needs no read. @throws ServiceFailure also when no acknowledgement came: then ask again.
   */
  requestResume(data: ResumeRequestedData, address: ParkAddress, write: Write): Promise<void>;
}

const NOTHING: RunHistory = { park: [], otherPark: [], position: 0, isNameTaken: false };

export function createRunStore(log: Log): RunStore {
  return {
    async glimpse(address, shownAs) {
      return isParkAddress(address) ? glimpseRun(log, address, shownAs) : NOTHING;
    },

    async read(address, shownAs) {
      if (!isParkAddress(address)) return NOTHING;
      // The position first: whatever is stored after it is a conflict for who decides without having seen it.
      const last = await lastMessage(log, STREAMS.runs, claimScope(address));
      if (last === undefined) return NOTHING;
      const claimed = await lastMessage(log, STREAMS.runs, claimScope(address, "claimed"));
      const other = otherAddress(claimed, address);
      const entries = await readUpTo(log, last, [address, ...(other === undefined ? [] : [other])]);
      return {
        park: entries.filter((entry) => isSamePark(entry.address, address)),
        otherPark: entries.filter((entry) => isSamePark(entry.address, other)),
        position: last.seq,
        isNameTaken: shownAs !== undefined && (await isNameTaken(log, address, shownAs)),
      };
    },

    append(event, address, position, write) {
      return appendMessage(log, {
        ...runSubject(event.type, address),
        position,
        ...message(log, event, write),
      });
    },

    async requestResume(data, address, write) {
      const event = { type: "resume_requested", data } as const;
      const place = runSubject(event.type, address);
      const outcome = await appendMessage(log, { ...place, position: 0, ...message(log, event, write) });
      if (outcome.status !== "unknown") return;
      throw new ServiceFailure("log_unavailable", { retry: "later", message: "no acknowledgement came" });
    },
  };
}

function otherAddress(claimed: StoredMsg | undefined, address: ParkAddress): ParkAddress | undefined {
  const found = claimed === undefined ? undefined : parseRunSubject(claimed.subject)?.address;
  return isSamePark(address, found) ? undefined : found;
}

/**
 * The last events of these parks by one replica that is as far as the leader said: any may answer, and the
 * subject of the run's last event tells how far it is.
 */
async function readUpTo(log: Log, last: StoredMsg, parks: readonly ParkAddress[]): Promise<StoredRunEntry[]> {
  const filters = [...parks.map(parkFilter), last.subject];
  const read = () => readLastMessages(log, STREAMS.runs, filters);
  const messages = await reachLeader(last.seq, read, (found) => found.at(-1)?.seq ?? 0);
  return messages.map(readStoredRun);
}

function message(log: Log, event: RunEvent, write: Write): { payload: string; headers: MsgHdrs } {
  const headers = cloudEventHeaders({
    id: write.eventId,
    type: runCeType(event.type),
    service: log.service,
    time: formatInstant(write.nowMs),
    subject: event.data.run_id,
    asker: event.data.owner,
    trace: write.trace,
  });
  // A heartbeat takes the place of the one before it: a long run must not fill the log.
  if (event.type === "renewed") headers.set("Nats-Rollup", "sub");
  return { payload: JSON.stringify(event.data), headers };
}
