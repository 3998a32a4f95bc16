import { createParser, type EventSourceMessage } from "eventsource-parser";

export type Frame = { id: string; event: string; data: string };
export type StreamStatus = "connecting" | "open" | "waiting" | "refused";

type Handlers = {
  onFrame: (frame: Frame) => void;
  onStatus: (status: StreamStatus) => void;
  onSignedOut: () => void;
};

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** Three keepalives missed: the connection is dead even if no one has said so. */
const SILENCE_MS = 45_000;

function until(ms: number, signal: AbortSignal, wake: EventTarget): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      wake.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    wake.addEventListener("online", done);
  });
}

const isAborted = (signal: AbortSignal): boolean => signal.aborted;

async function read(body: ReadableStream<Uint8Array>, feed: (text: string) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    feed(decoder.decode(value, { stream: true }));
  }
}

/**
 * Follows the tail until aborted. Fetch rather than EventSource: it tells 401 and 429 apart, and the delay is
 * ours. Every reconnect carries the last id seen, so that nothing between two connections is lost.
 */
export class EventStream {
  lastId: string | undefined;
  readonly #handlers: Handlers;
  #delayMs = FIRST_DELAY_MS;

  constructor(handlers: Handlers, lastId: string | undefined) {
    this.#handlers = handlers;
    this.lastId = lastId;
  }

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      this.#handlers.onStatus("connecting");
      const waitMs = await this.#connect(signal);
      if (signal.aborted || waitMs === "over") return;
      this.#handlers.onStatus("waiting");
      await until(waitMs, signal, window);
      if (isAborted(signal)) return;
    }
  }

  #backoff(): number {
    const delay = this.#delayMs;
    this.#delayMs = Math.min(MAX_DELAY_MS, delay * 2);
    return delay * (0.75 + Math.random() / 2);
  }

  async #connect(signal: AbortSignal): Promise<number | "over"> {
    const silence = new AbortController();
    let timer = setTimeout(() => {
      silence.abort();
    }, SILENCE_MS);
    const heard = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        silence.abort();
      }, SILENCE_MS);
    };
    try {
      return await this.#follow(AbortSignal.any([signal, silence.signal]), heard);
    } catch {
      return this.#backoff();
    } finally {
      clearTimeout(timer);
    }
  }

  async #follow(signal: AbortSignal, heard: () => void): Promise<number | "over"> {
    const response = await fetch("/api/interactions/stream", {
      headers: {
        accept: "text/event-stream",
        ...(this.lastId === undefined ? {} : { "last-event-id": this.lastId }),
      },
      credentials: "same-origin",
      cache: "no-store",
      signal,
    });
    if (response.status === 401) {
      this.#handlers.onSignedOut();
      return "over";
    }
    if (response.status === 403) {
      // Somebody who only asks may read the list, but not the stream: asking again would not help.
      this.#handlers.onStatus("refused");
      return "over";
    }
    if (!response.ok || response.body === null) {
      const askedSeconds = Number(response.headers.get("retry-after") ?? 0) || 0;
      return Math.max(askedSeconds * 1_000, this.#backoff());
    }
    this.#handlers.onStatus("open");
    const parser = createParser({
      onEvent: (message) => {
        this.#received(message);
      },
    });
    await read(response.body, (text) => {
      heard();
      this.#delayMs = FIRST_DELAY_MS;
      parser.feed(text);
    });
    return this.#backoff();
  }

  #received(message: EventSourceMessage): void {
    const id = message.id ?? "";
    if (id !== "") this.lastId = id;
    this.#handlers.onFrame({ id, event: message.event ?? "", data: message.data });
  }
}
