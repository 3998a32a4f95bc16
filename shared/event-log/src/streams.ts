import { DiscardPolicy, RetentionPolicy, type StreamConfig, StorageType } from "@nats-io/jetstream";

/** Stream names, each once. */
export const STREAMS = {
  interactions: "INTERACTIONS",
  notifications: "NOTIFICATIONS",
  inbound: "INBOUND",
  conversations: "CONVERSATIONS",
  timers: "TIMERS",
  audit: "AUDIT",
  runs: "RUNS",
} as const;

export type StreamName = (typeof STREAMS)[keyof typeof STREAMS];

const GIBIBYTE = 1_073_741_824;
const SECOND_NS = 1_000_000_000;
const DAY_NS = 86_400 * SECOND_NS;
const INBOUND_RETENTION_DAYS = 30;

export type StreamSizes = {
  /** Upper bound of the event log in bytes; asks stop at 95 % of it. Not given: as it stands, or the default. */
  maxBytes?: number | undefined;
  /** For a log that does not exist yet; a gibibyte where even this is not said. */
  defaultMaxBytes?: number;
  replicas: number;
  /** How long what came over channels is kept; not given: as it stands, or the default. */
  inboundRetentionDays?: number | undefined;
};

type Wanted = Partial<StreamConfig> & { name: string; subjects: string[] };

/** What provisioning creates and services verify. Truth streams refuse new messages when full, never drop old ones. */
export function wantedStreams(sizes: StreamSizes): Wanted[] {
  const maxBytes = sizes.maxBytes ?? sizes.defaultMaxBytes ?? GIBIBYTE;
  const common = { storage: StorageType.File, num_replicas: sizes.replicas, allow_direct: true } as const;
  return [
    {
      ...common,
      name: STREAMS.interactions,
      subjects: ["interactions.>"],
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.New,
      max_bytes: maxBytes,
      deny_delete: true,
      duplicate_window: 120 * SECOND_NS,
    },
    {
      ...common,
      name: STREAMS.notifications,
      subjects: ["notifications.>"],
      discard: DiscardPolicy.Old,
      max_age: 90 * DAY_NS,
      max_bytes: Math.min(GIBIBYTE, Math.ceil(maxBytes / 10)),
    },
    {
      ...common,
      name: STREAMS.inbound,
      subjects: ["inbound.>"],
      // A provider that is told no delivers again; what it was told yes for is not dropped for what comes later.
      discard: DiscardPolicy.New,
      max_age: (sizes.inboundRetentionDays ?? INBOUND_RETENTION_DAYS) * DAY_NS,
      max_bytes: Math.ceil(maxBytes / 10),
    },
    {
      ...common,
      name: STREAMS.conversations,
      subjects: ["conversations.>"],
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.New,
      max_bytes: Math.ceil(maxBytes / 10),
      deny_delete: true,
    },
    {
      ...common,
      name: STREAMS.timers,
      subjects: ["timers.set.*", "timers.fired.*", "timers.cancel.*"],
      // A fired timer is a command: it stays until a worker has acted on it, and then goes.
      retention: RetentionPolicy.Workqueue,
      allow_msg_schedules: true,
      allow_msg_ttl: true,
      max_msgs_per_subject: 1,
    },
    {
      ...common,
      name: STREAMS.audit,
      subjects: ["audit.>"],
      discard: DiscardPolicy.Old,
      max_bytes: Math.min(GIBIBYTE, Math.ceil(maxBytes / 20)),
    },
    {
      ...common,
      name: STREAMS.runs,
      subjects: ["runs.>", "drivers.>"],
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.New,
      max_bytes: Math.ceil(maxBytes / 4),
      deny_delete: true,
      // A renewed lease takes the place of the one before it.
      allow_rollup_hdrs: true,
    },
  ];
}

/** Flags that an old server drops without an error; a stream without them is not the one we need. */
export const ESSENTIAL_FLAGS: Record<StreamName, readonly (keyof StreamConfig)[]> = {
  INTERACTIONS: ["allow_direct", "deny_delete"],
  NOTIFICATIONS: ["allow_direct"],
  INBOUND: ["allow_direct"],
  CONVERSATIONS: ["allow_direct", "deny_delete"],
  TIMERS: ["allow_direct", "allow_msg_schedules", "allow_msg_ttl"],
  AUDIT: ["allow_direct"],
  RUNS: ["allow_direct", "deny_delete", "allow_rollup_hdrs"],
};
