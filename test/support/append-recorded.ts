import type { Log } from "@interlude/event-log";
import { headers } from "@nats-io/nats-core";
import type { RecordedEvent } from "../histories/recorded.ts";

/** Puts events into the log as they were stored, in their order; the sequences they have now. */
export async function appendRecorded(log: Log, events: readonly RecordedEvent[]): Promise<number[]> {
  const sequences: number[] = [];
  for (const event of events.toSorted((one, other) => one.sequence - other.sequence)) {
    const stored = headers();
    for (const [name, value] of Object.entries(event.headers)) stored.set(name, value);
    const payload = JSON.stringify(event.data);
    const { seq } = await log.jetstream.publish(event.subject, payload, { headers: stored });
    sequences.push(seq);
  }
  return sequences;
}
