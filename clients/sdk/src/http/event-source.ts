import { createParser, type EventSourceMessage } from "eventsource-parser";
import { InterludeError } from "../errors.ts";
import { unexpected } from "../wire/fields.ts";
import { retryAfterMs } from "./persistent.ts";
import { scope } from "./pause.ts";
import { isSuccess, problemOf } from "./problem.ts";
import { type HttpRequest, open, type Origin, replyOf } from "./transport.ts";

/** Three keepalives missed: the connection is dead even if no one has said so. */
const SILENCE_MS = 45_000;

/** The server will not have us now, but may later. */
export class NotNow extends InterludeError {
  readonly atLeastMs: number;

  constructor(refusal: InterludeError, atLeastMs: number) {
    super(refusal);
    this.atLeastMs = atLeastMs;
  }
}

async function bodyOf(response: Response): Promise<ReadableStream<Uint8Array>> {
  const type = response.headers.get("content-type") ?? "";
  if (response.status === 200 && response.body !== null && type.startsWith("text/event-stream"))
    return response.body;
  const reply = await replyOf(response);
  if (isSuccess(reply)) throw unexpected("no event stream", reply.requestId);
  const refusal = problemOf(reply);
  if (reply.status === 429 || reply.status >= 500) throw new NotNow(refusal, retryAfterMs(reply.headers));
  throw refusal;
}

/**
 * One connection to an event stream, read no faster than its messages are taken. It ends when the server ends it,
 * and fails when the network does or nothing is heard for three keepalives.
 */
export async function* listen(
  origin: Origin,
  request: HttpRequest,
  signal: AbortSignal,
  onOpen: () => void,
): AsyncGenerator<EventSourceMessage, void> {
  const connection = scope(signal);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expectSound = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      connection.abort(new DOMException("nothing heard for three keepalives", "TimeoutError"));
    }, SILENCE_MS);
  };
  try {
    expectSound();
    const body = await bodyOf(await open(origin, request, connection.signal));
    onOpen();
    const waiting: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (message) => waiting.push(message) });
    const decoder = new TextDecoder();
    const reader = body.getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearTimeout(timer);
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      yield* waiting.splice(0);
      expectSound();
    }
  } finally {
    clearTimeout(timer);
    connection.abort(new DOMException("no longer listened to", "AbortError"));
    connection.release();
  }
}
