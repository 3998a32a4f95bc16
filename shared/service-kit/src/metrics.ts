import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** One registry a process; services add to it what they measure. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    httpRequests: new Histogram({
      name: "interlude_http_request_seconds",
      help: "Time to answer a request by door and status, streams and waits excepted.",
      labelNames: ["door", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    skippedEvents: new Counter({
      name: "interlude_skipped_events_total",
      help: "Stored events of a type or version this process does not know, or that it cannot read.",
      labelNames: ["reader"],
      registers,
    }),
    openStreams: new Gauge({ name: "interlude_open_streams", help: "SSE clients connected now.", registers }),
    droppedStreams: new Counter({
      name: "interlude_dropped_streams_total",
      help: "SSE clients dropped because they could not keep up.",
      registers,
    }),
    waiting: new Gauge({
      name: "interlude_waiting_requests",
      help: "Requests that wait for an answer now.",
      registers,
    }),
    clockSkew: new Gauge({
      name: "interlude_clock_skew_seconds",
      help: "The log's clock minus this machine's.",
      registers,
    }),
    expiryLateness: new Histogram({
      name: "interlude_expiry_lateness_seconds",
      help: "From a deadline to its expired event being decided.",
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 10, 60],
      registers,
    }),
    runs: new Gauge({
      name: "interlude_runs",
      help: "Parks that are not over, by state: parked, resuming, failed.",
      labelNames: ["state"],
      registers,
    }),
    oldestRun: new Gauge({
      name: "interlude_oldest_run_seconds",
      help: "Age of the oldest park that waits for questions (parked) or for a worker (claimable).",
      labelNames: ["state"],
      registers,
    }),
    purged: new Counter({
      name: "interlude_purged_total",
      help: "Interactions and parks that retention has removed from the log.",
      labelNames: ["what"],
      registers,
    }),
    oldestEnded: new Gauge({
      name: "interlude_oldest_ended_seconds",
      help: "Age of the oldest end of an interaction that the last sweep of retention left in the log; 0: none seen.",
      registers,
    }),
    sends: new Counter({
      name: "interlude_channel_sends_total",
      help: "Messages given to a channel's provider, by what came of it: sent, rejected, rate_limited, not_sent, unknown.",
      labelNames: ["channel", "outcome"],
      registers,
    }),
    sendSeconds: new Histogram({
      name: "interlude_channel_send_seconds",
      help: "Time that a channel's provider takes for a message.",
      labelNames: ["channel"],
      buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    inboundIgnored: new Counter({
      name: "interlude_channel_ignored_total",
      help: "What came over a channel and came to nothing, by reason.",
      labelNames: ["channel", "reason"],
      registers,
    }),
    /** How long the queue of each channel is, asked whenever the metrics are. */
    channelQueues: watchedQueues(registers),
    projectedSequence: new Gauge({
      name: "interlude_projected_sequence",
      help: "Last sequence of the log that the inbox's read model includes.",
      registers,
    }),
  };
}

function watchedQueues(registers: Registry[]): Map<string, () => number> {
  const queues = new Map<string, () => number>();
  new Gauge({
    name: "interlude_channel_queue",
    help: "Questions and messages of a channel that this process has and that have not gone out.",
    labelNames: ["channel"],
    registers,
    collect() {
      for (const [channel, length] of queues) this.set({ channel }, length());
    },
  });
  return queues;
}
