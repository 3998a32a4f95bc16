/** What a user may publish to and subscribe to; everything else is refused. */
export type Permissions = {
  publish: { allow: readonly string[]; deny: readonly string[] };
  subscribe: { allow: readonly string[] };
};

/** Durable consumers, each of one service; nobody else may take from, change or delete them. */
const DURABLES = {
  "expiry-scheduler": ["INTERACTIONS.expiry-scheduler-lifecycle", "TIMERS.expiry-scheduler-fired"],
  "resume-coordinator": ["RUNS.resume-coordinator-completed"],
  "channel-dispatcher": ["RUNS.channel-dispatcher-replies"],
} as const satisfies Record<string, readonly string[]>;

/** What a service does beside what all do. */
type Duties = {
  /** Subjects of its own. */
  publishes?: readonly string[];
  /** Streams it reads messages of, from the leader or any replica. */
  reads?: readonly string[];
  /** Streams it follows in order, with consumers of its own that go with it. */
  follows?: readonly string[];
  durables?: readonly string[];
  /** Streams that it takes from by the durables of channels, which are named after whatever channels there are. */
  takesChannels?: readonly string[];
  purges?: readonly string[];
};

/**
 * Every process follows the events and sessions, reads claims for its doors, and looks whether what it relies on
 * stands.
 */
const EVERY_SERVICE = {
  reads: ["INTERACTIONS", "RUNS", "KV_SESSIONS"],
  follows: ["INTERACTIONS", "KV_SESSIONS"],
} as const satisfies Duties;

export const DUTIES = {
  asker: {
    publishes: [
      "interactions.asked.>",
      "notifications.sent.>",
      "notifications.requested.>",
      "$KV.ANSWER_KEYS.*",
      "$O.MEDIA.C.*",
      "$O.MEDIA.M.*",
      "media.claimed.*.*.*",
    ],
    reads: ["NOTIFICATIONS", "KV_ANSWER_KEYS", "OBJ_MEDIA", "MEDIA_CLAIMS"],
    follows: ["KV_ANSWER_KEYS"],
    // The keys of sensitive answers whose time is over, and inline images of an ask that was refused.
    purges: ["KV_ANSWER_KEYS", "OBJ_MEDIA", "MEDIA_CLAIMS"],
  },
  "answer-gateway": {
    publishes: [
      "interactions.answered.>",
      "interactions.cancelled.>",
      "$KV.SESSIONS.*",
      "$KV.SESSIONS.*.*",
      "$KV.DELIVERIES.>",
    ],
    reads: ["NOTIFICATIONS", "KV_ANSWER_KEYS", "KV_DELIVERIES"],
    follows: ["NOTIFICATIONS"],
    purges: ["KV_ANSWER_KEYS", "KV_DELIVERIES"],
  },
  "inbox-projector": { reads: ["AUDIT"] },
  "expiry-scheduler": {
    publishes: ["interactions.expired.>", "timers.set.*", "timers.cancel.*"],
    durables: DURABLES["expiry-scheduler"],
  },
  media: {
    publishes: ["$O.MEDIA.C.*", "$O.MEDIA.M.*"],
    reads: ["OBJ_MEDIA", "MEDIA_CLAIMS", "NOTIFICATIONS"],
    purges: ["OBJ_MEDIA", "MEDIA_CLAIMS"],
  },
  "resume-coordinator": {
    publishes: ["runs.>", "drivers.registered.*", "$KV.CLAIM_KEYS.>"],
    reads: ["AUDIT", "KV_ANSWER_KEYS", "KV_CLAIM_KEYS", "KV_DEPLOYMENT"],
    follows: ["RUNS"],
    durables: DURABLES["resume-coordinator"],
    purges: ["KV_ANSWER_KEYS", "KV_CLAIM_KEYS"],
  },
  "channel-dispatcher": {
    publishes: [
      "interactions.delivery_started.>",
      "interactions.delivered.>",
      "interactions.delivery_failed.>",
      "interactions.delivery_reported.>",
      "interactions.mismatched.>",
      "interactions.answered.>",
      "interactions.failed.>",
      "inbound.>",
      "conversations.>",
      "notifications.delivered.>",
      "notifications.delivery_failed.>",
      "runs.turn_received.>",
      "$KV.LEASES.>",
      "$KV.CHANNEL_MESSAGES.>",
      "$KV.DEPLOYMENT.*",
    ],
    reads: [
      "INBOUND",
      "CONVERSATIONS",
      "NOTIFICATIONS",
      "KV_ANSWER_KEYS",
      "KV_LEASES",
      "KV_CHANNEL_MESSAGES",
      "KV_DEPLOYMENT",
    ],
    durables: DURABLES["channel-dispatcher"],
    takesChannels: ["INTERACTIONS", "INBOUND", "CONVERSATIONS", "NOTIFICATIONS"],
    // Replies that are out, and what carried a sensitive answer.
    purges: ["CONVERSATIONS", "INBOUND"],
  },
  retention: {
    publishes: ["audit.>", "$O.MEDIA.M.*"],
    reads: ["AUDIT", "CONVERSATIONS", "NOTIFICATIONS", "OBJ_MEDIA", "MEDIA_CLAIMS"],
    purges: [
      "INTERACTIONS",
      "RUNS",
      "CONVERSATIONS",
      "KV_ANSWER_KEYS",
      "KV_CHANNEL_MESSAGES",
      "OBJ_MEDIA",
      "MEDIA_CLAIMS",
    ],
  },
} as const satisfies Record<string, Duties>;

export type ServiceUser = keyof typeof DUTIES;

/** The user that all services share where one process runs them. */
export const ALL_SERVICES = "interlude";

export function permissionsOf(service: ServiceUser): Permissions {
  return permissions(service, [DUTIES[service]]);
}

export function permissionsOfAll(): Permissions {
  return permissions(ALL_SERVICES, Object.values(DUTIES));
}

function permissions(user: string, duties: readonly Duties[]): Permissions {
  const all: readonly Duties[] = [EVERY_SERVICE, ...duties];
  const of = (kind: keyof Duties) => [...new Set(all.flatMap((each) => each[kind] ?? []))];
  const own = of("durables");
  const others = Object.values(DURABLES)
    .flat()
    .filter((durable) => !own.includes(durable));
  return {
    publish: {
      allow: [
        "$JS.API.INFO",
        "$JS.API.STREAM.INFO.*",
        "$JS.API.CONSUMER.INFO.*.*",
        ...of("publishes"),
        ...of("reads").flatMap((stream) => [
          `$JS.API.DIRECT.GET.${stream}`,
          `$JS.API.DIRECT.GET.${stream}.>`,
          `$JS.API.STREAM.MSG.GET.${stream}`,
        ]),
        ...of("follows").flatMap((stream) => [
          `$JS.API.CONSUMER.CREATE.${stream}.>`,
          `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
          `$JS.API.CONSUMER.DELETE.${stream}.*`,
          `$JS.FC.${stream}.>`,
        ]),
        ...of("takesChannels").flatMap((stream) => [
          `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
          `$JS.ACK.${stream}.>`,
        ]),
        ...own.flatMap((durable) => [`$JS.API.CONSUMER.MSG.NEXT.${durable}`, `$JS.ACK.${durable}.>`]),
        ...of("purges").map((stream) => `$JS.API.STREAM.PURGE.${stream}`),
      ],
      deny: [
        ...Object.values(DURABLES)
          .flat()
          .flatMap((durable) => [
            `$JS.API.CONSUMER.CREATE.${durable}`,
            `$JS.API.CONSUMER.CREATE.${durable}.>`,
            `$JS.API.CONSUMER.DELETE.${durable}`,
          ]),
        ...others.flatMap((durable) => [`$JS.API.CONSUMER.MSG.NEXT.${durable}`, `$JS.ACK.${durable}.>`]),
      ],
    },
    // Replies, and nobody else's.
    subscribe: { allow: [`_INBOX_${user}.>`] },
  };
}
