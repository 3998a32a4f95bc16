import { parseLastEventId } from "@interlude/contract";
import {
  alreadySent,
  type Logger,
  type Metrics,
  problemResponse,
  type RequestContext,
  type Route,
  type WaitSlots,
} from "@interlude/service-kit";
import type { StreamHub, StreamSink } from "../application/stream-hub.ts";

export type StreamDeps = {
  hub: StreamHub;
  streamSlots: WaitSlots;
  logger: Logger;
  metrics: Pick<Metrics, "droppedStreams">;
  keepaliveMs: number;
};

/** A client that takes nothing for so many keepalives, while something waits for it, is gone without a word. */
const STALLED_KEEPALIVES = 3;

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

export function streamDoor(deps: StreamDeps): Route {
  return {
    door: "GET /api/interactions/stream",
    body: "none",
    query: ["last_event_id"],
    handle: (context) => stream(deps, context),
  };
}

async function stream(deps: StreamDeps, context: RequestContext): Promise<Response> {
  if (context.incoming.method === "HEAD") return new Response(null, { headers: HEADERS });
  const slot = deps.streamSlots.take(context.actor);
  if (slot === "none_left") {
    const detail = "You have as many streams open as are allowed.";
    return problemResponse({ code: "rate_limited", detail, headers: { "retry-after": "5" } });
  }
  const { outgoing, credential, signal: gone } = context;
  const release = () => {
    slot.release();
  };
  gone.addEventListener("abort", release, { once: true });
  if (gone.aborted) release();
  const after = parseLastEventId(context.header("last-event-id"), context.query.get("last_event_id"));
  try {
    const isValid = () => credential?.isValid() ?? true;
    await deps.hub.join({ reader: context.actor, sink: sinkOf(deps, context), isValid, after, gone });
    return alreadySent();
  } catch (error) {
    release();
    // Nothing else can be said after the first bytes.
    if (!outgoing.headersSent) throw error;
    deps.logger.error("a stream broke", { reason: String(error) });
    outgoing.destroy();
    return alreadySent();
  }
}

function sinkOf(deps: StreamDeps, { outgoing, commonHeaders }: RequestContext): StreamSink {
  function begin(): void {
    outgoing.writeHead(200, { ...HEADERS, ...commonHeaders });
    // Keepalives, and what the network takes of a large write, count as life; a quiet stream is never silent so long.
    outgoing.setTimeout(STALLED_KEEPALIVES * deps.keepaliveMs, () => {
      deps.metrics.droppedStreams.inc();
      outgoing.destroy();
    });
  }

  return {
    write(bytes) {
      // The headers go with the first bytes: a stream that cannot start is refused with a status instead.
      if (!outgoing.headersSent) begin();
      outgoing.write(bytes);
    },
    get backlogBytes() {
      return outgoing.writableLength;
    },
    drained() {
      // A buffer that is not empty but never was full tells nothing when it empties.
      if (!outgoing.writableNeedDrain || outgoing.closed) return Promise.resolve();
      return new Promise((resolve) => {
        const done = () => {
          outgoing.off("drain", done).off("close", done);
          resolve();
        };
        outgoing.on("drain", done).on("close", done);
      });
    },
    end() {
      outgoing.end();
      // A client that does not read would keep the socket for ever.
      setTimeout(() => outgoing.destroy(), 2_000).unref();
    },
  };
}
