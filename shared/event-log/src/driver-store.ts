import { DRIVER_REGISTERED, type DriverRegisteredData, parseDriverRegistered } from "@interlude/contract";
import { decideRegister, type DriverRefusal } from "@interlude/domain";
import { ServiceFailure } from "@interlude/kernel";
import { appendMessage } from "./append.ts";
import type { Log } from "./connect.ts";
import { cloudEventHeaders, newEventId, type TraceContext } from "./envelope.ts";
import { lastMessage } from "./media-objects.ts";
import { driverSubject, isDriverName } from "./run-subjects.ts";
import { shareReads } from "./share-reads.ts";
import { STREAMS } from "./streams.ts";

export type Registered =
  /** `isNew`: nobody had the name before. */
  | { ok: true; driver: DriverRegisteredData; isNew: boolean; changed: boolean }
  | { ok: false; refusal: DriverRefusal };

export interface DriverStore {
  /** As it was registered last, by the leader's word. A text that is no name is none. @throws ServiceFailure */
  find(name: string): Promise<DriverRegisteredData | undefined>;
  /** Of two that register a name at once, one has it. @throws ServiceFailure */
  register(wanted: DriverRegisteredData, trace?: TraceContext): Promise<Registered>;
}

const MAX_ATTEMPTS = 8;
const decoder = new TextDecoder();

export function createDriverStore(log: Log): DriverStore {
  // Every async question and every park asks for its driver, and many have the same.
  const find = shareReads(async (name) => {
    const { filter } = driverSubject(name);
    const message = await lastMessage(log, STREAMS.runs, filter);
    return message === undefined ? undefined : readRegistered(message);
  });

  return {
    async find(name) {
      return isDriverName(name) ? find(name) : undefined;
    },

    async register(wanted, trace) {
      const eventId = newEventId();
      const place = driverSubject(wanted.driver);
      let isNew = true;
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const stored = await lastMessage(log, STREAMS.runs, place.filter);
        const current = stored === undefined ? undefined : readRegistered(stored);
        // No acknowledgement came, and it is there all the same.
        if (stored?.header.get("ce-id") === eventId)
          return { ok: true, driver: wanted, isNew, changed: true };
        const decision = decideRegister(wanted, current);
        if (!decision.ok) return decision;
        isNew = current === undefined;
        const [event] = decision.events;
        if (event === undefined) return { ok: true, driver: current ?? wanted, isNew, changed: false };
        const outcome = await appendMessage(log, {
          ...place,
          position: stored?.seq ?? 0,
          payload: JSON.stringify(event),
          headers: headersOf(log, event, eventId, trace),
        });
        if (outcome.status === "appended") return { ok: true, driver: event, isNew, changed: true };
      }
      throw new ServiceFailure("append_contended", {
        retry: "later",
        context: { driver: wanted.driver, attempts: MAX_ATTEMPTS },
      });
    },
  };
}

type ReadableMessage = Readonly<{ seq: number; data: Uint8Array; header: { get(name: string): string } }>;

/**
 * A stored event of a driver; `undefined`: of a type this process does not know.
 * @throws ServiceFailure `event_unreadable` when it is not what its type promises.
 */
export function readStoredDriver({ seq, data, header }: ReadableMessage): DriverRegisteredData | undefined {
  try {
    return parseDriverRegistered(header.get("ce-type"), JSON.parse(decoder.decode(data)));
  } catch (cause) {
    throw unreadable(seq, cause);
  }
}

/** @throws ServiceFailure `event_unreadable`: nothing may be decided past what is not known. */
function readRegistered(message: ReadableMessage): DriverRegisteredData {
  const registered = readStoredDriver(message);
  if (registered === undefined) throw unreadable(message.seq);
  return registered;
}

function unreadable(sequence: number, cause?: unknown): ServiceFailure {
  return new ServiceFailure("event_unreadable", { retry: "never", context: { sequence }, cause });
}

function headersOf(log: Log, event: DriverRegisteredData, id: string, trace: TraceContext | undefined) {
  return cloudEventHeaders({
    id,
    type: DRIVER_REGISTERED,
    service: log.service,
    time: event.at,
    subject: event.driver,
    asker: event.owner,
    trace,
  });
}
