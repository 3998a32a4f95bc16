import { headers, type MsgHdrs } from "@nats-io/nats-core";
import { ServiceFailure } from "@interlude/kernel";
import { z } from "zod";
import type { Log } from "./connect.ts";

/** JetStream has two codes for a missed expectation; replicas answer the second one without a number. */
const MISSED_EXPECTATION: readonly number[] = [10071, 10164];
const STREAM_FULL: readonly number[] = [10077, 10122, 10047];

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

const Acknowledgement = z.object({
  seq: z.number().optional(),
  error: z.object({ err_code: z.number().optional(), description: z.string().optional() }).optional(),
});

/** One publish under an expectation. @throws ServiceFailure `log_unavailable`, `log_full`. */
export async function appendMessage(log: Log, append: Append): Promise<AppendOutcome> {
  const { subject, payload, filter, position } = append;
  append.headers.set("Nats-Expected-Last-Subject-Sequence", String(position));
  append.headers.set("Nats-Expected-Last-Subject-Sequence-Subject", filter);
  return publish(log, subject, payload, append.headers);
}

/** One publish that the stream acknowledges. @throws ServiceFailure `log_unavailable`, `log_full`. */
export async function publish(
  log: Log,
  subject: string,
  payload: string | Uint8Array,
  given: MsgHdrs = headers(),
): Promise<AppendOutcome> {
  requireUp(log);
  const answer = await log.requests.one({ subject, payload, headers: given }).catch(() => undefined);
  if (answer === undefined) return { status: "unknown" };
  // 503: no stream listens on this subject.
  if (answer.status !== 0) throw unavailable(answer.description || `status ${answer.status}`, answer.status);
  return outcomeOf(answer.data);
}

const decoder = new TextDecoder();

function outcomeOf(data: Uint8Array): AppendOutcome {
  const { seq, error } = Acknowledgement.parse(JSON.parse(decoder.decode(data)));
  if (error === undefined && seq !== undefined) return { status: "appended", sequence: seq };
  const code = error?.err_code ?? 0;
  if (MISSED_EXPECTATION.includes(code)) return { status: "conflict" };
  const message = error?.description ?? "no sequence in the acknowledgement";
  if (STREAM_FULL.includes(code))
    throw new ServiceFailure("log_full", { retry: "later", context: { code }, message });
  throw unavailable(message, code);
}

function unavailable(message: string, code: number): ServiceFailure {
  return new ServiceFailure("log_unavailable", { retry: "later", context: { code }, message });
}

/** Fails at once while the server is away: a request would only queue in the client and be sent later, unasked. */
export function requireUp(log: Log): void {
  if (!log.isUp()) throw new ServiceFailure("log_unavailable", { retry: "later", message: "NATS is away" });
}
