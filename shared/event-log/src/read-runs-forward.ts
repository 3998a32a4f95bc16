import type { DriverRegisteredData, RunEvent } from "@interlude/contract";
import type { JsMsg } from "@nats-io/jetstream";
import { headers } from "@nats-io/nats-core";
import type { Log } from "./connect.ts";
import { readStoredDriver } from "./driver-store.ts";
import { readStream, type ReadForwardOptions } from "./read-forward.ts";
import { readStoredRun } from "./read-stored-run.ts";
import type { ParkAddress } from "./run-subjects.ts";
import { STREAMS } from "./streams.ts";

/** What a projection needs of a stored event of `RUNS`. An unreadable one counts as one of an unknown type. */
export type RunForwardEntry =
  | { sequence: number; address: ParkAddress; entry: RunEvent }
  | {
      sequence: number;
      address?: undefined;
      entry: { type: "registered"; data: DriverRegisteredData } | { unknownType: string };
    };

/** Every stored event of drivers and runs, as `readForward` reads the interactions. Renewals have gaps: one stays. */
export function readRunsForward(log: Log, options: ReadForwardOptions): AsyncGenerator<RunForwardEntry> {
  return readStream(log, STREAMS.runs, options, (message) => forwardEntry(message, options.onUnreadable));
}

function forwardEntry(message: JsMsg, onUnreadable: (error: unknown) => void): RunForwardEntry {
  const { subject, seq: sequence, data, time } = message;
  const readable = { subject, seq: sequence, data, time, header: message.headers ?? headers() };
  try {
    if (subject.startsWith("drivers.")) {
      const data = readStoredDriver(readable);
      return { sequence, entry: data === undefined ? unknown(message) : { type: "registered", data } };
    }
    const { address, entry } = readStoredRun(readable);
    return "unknownType" in entry ? { sequence, entry } : { sequence, address, entry };
  } catch (error) {
    onUnreadable(error);
    return { sequence, entry: unknown(message) };
  }
}

function unknown({ subject, headers: given }: JsMsg): { unknownType: string } {
  return { unknownType: given?.get("ce-type") || subject };
}
