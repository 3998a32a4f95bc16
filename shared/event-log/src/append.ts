import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream";
import type { MsgHdrs } from "@nats-io/nats-core";
import { ServiceFailure } from "@interlude/kernel";
import type { Log } from "./connect.ts";

const STREAM_FULL_CODES: readonly number[] = [10077, 10122, 10047];

/** `unknown`: no acknowledgement came; the message may or may not be stored. */
export type AppendOutcome =
  { status: "appended"; sequence: number } | { status: "conflict" } | { status: "unknown" };

export type Append = {
  subject: string;
  /** The subjects whose last sequence is expected to be `position`; 0: none exists. */
  filter: string;
  position: number;
  payload: string;
  headers: MsgHdrs;
};

/** One publish under an expectation. @throws ServiceFailure `log_unavailable`, `log_full`. */
export async function appendMessage(log: Log, append: Append): Promise<AppendOutcome> {
  requireUp(log);
  try {
    const ack = await log.jetstream.publish(append.subject, append.payload, {
      headers: append.headers,
      expect: { lastSubjectSequence: append.position, lastSubjectSequenceSubject: append.filter },
    });
    return { status: "appended", sequence: ack.seq };
  } catch (error) {
    return outcomeOfError(error);
  }
}

function outcomeOfError(error: unknown): AppendOutcome {
  if (!(error instanceof JetStreamApiError)) return { status: "unknown" };
  // JetStream has two codes for a missed expectation; replicas answer the second one without a number.
  if (
    error.code === JetStreamApiCodes.StreamWrongLastSequence ||
    error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown
  ) {
    return { status: "conflict" };
  }
  const context = { code: error.code };
  if (STREAM_FULL_CODES.includes(error.code)) {
    throw new ServiceFailure("log_full", { retry: "later", context, cause: error, message: error.message });
  }
  throw new ServiceFailure("log_unavailable", {
    retry: "later",
    context,
    cause: error,
    message: error.message,
  });
}

/** Fails at once while the server is away: a request would only queue in the client and be sent later, unasked. */
export function requireUp(log: Log): void {
  if (!log.isUp()) throw new ServiceFailure("log_unavailable", { retry: "later", message: "NATS is away" });
}
