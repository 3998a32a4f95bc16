import type { JsMsg } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { headers } from "@nats-io/nats-core";
import { ServiceFailure } from "@interlude/kernel";
import type { Log } from "./connect.ts";
import { appendMessage, requireUp } from "./append.ts";
import { followStream } from "./follow-stream.ts";
import { purgeSubject } from "./media-objects.ts";

/** Key-value buckets, each once. No history: deleting a key shreds what it held. */
export const BUCKETS = {
  /** Sign-in links used, sessions revoked. */
  sessions: { name: "SESSIONS", ttlMs: 31 * 86_400_000 },
  /** Wrapped data keys of sensitive interactions. */
  answerKeys: { name: "ANSWER_KEYS", ttlMs: 0 },
  /** Provider delivery ids seen by the callback door. */
  deliveries: { name: "DELIVERIES", ttlMs: 86_400_000 },
  /** Which claim an idempotency key stands for. */
  claimKeys: { name: "CLAIM_KEYS", ttlMs: 86_400_000 },
  /** Which question a provider's message shows. */
  channelMessages: { name: "CHANNEL_MESSAGES", ttlMs: 31 * 86_400_000 },
  /** Which worker has what for the time being; what is not renewed is free again. */
  leases: { name: "LEASES", ttlMs: 9_000 },
  /** What a deployment makes once and keeps. */
  deployment: { name: "DEPLOYMENT", ttlMs: 0 },
} as const;

export type BucketName = keyof typeof BUCKETS;

/** A small replicated map for what is no event: single-use marks and keys that must be forgettable. */
export interface Bucket {
  get(key: string): Promise<string | undefined>;
  /** `false` when the key exists: one of many callers wins. */
  create(key: string, value: string): Promise<boolean>;
  put(key: string, value: string): Promise<void>;
  /** With what `replace` expects. */
  read(key: string): Promise<{ value: string; revision: number } | undefined>;
  /** `false` when the value is another by now. @throws ServiceFailure `log_unavailable` when nobody can say */
  replace(key: string, value: string, revision: number): Promise<boolean>;
  /** Removes the value and its bytes, and leaves nothing behind; `watch` does not tell of it. */
  purge(key: string): Promise<void>;
  keys(): Promise<string[]>;
  /** When the value was stored, by the log's server. */
  storedAtMs(key: string): Promise<number | undefined>;
  /** Calls back for each change from now on, whatever becomes of the server, until the returned function is called. */
  watch(onChange: (key: string, value: string | undefined) => void): Promise<() => void>;
}

export async function openBucket(log: Log, name: BucketName): Promise<Bucket> {
  const bucket = BUCKETS[name].name;
  const kv = await new Kvm(log.connection).open(bucket, { allow_direct: false, bindOnly: true });
  return bucketOf(log, kv, bucket);
}

function bucketOf(log: Log, kv: KV, bucket: string): Bucket {
  return {
    async get(key) {
      requireUp(log);
      const entry = await kv.get(key);
      return entry === null || entry.operation !== "PUT" ? undefined : entry.string();
    },
    async create(key, value) {
      requireUp(log);
      try {
        await kv.create(key, value);
        return true;
      } catch (error) {
        if ((await kv.get(key))?.operation === "PUT") return false;
        throw error;
      }
    },
    async put(key, value) {
      requireUp(log);
      await kv.put(key, value);
    },
    async read(key) {
      requireUp(log);
      const entry = await kv.get(key);
      if (entry === null || entry.operation !== "PUT") return undefined;
      return { value: entry.string(), revision: entry.revision };
    },
    async replace(key, value, revision) {
      const subject = `$KV.${bucket}.${key}`;
      const place = { subject, filter: subject, position: revision };
      const outcome = await appendMessage(log, { ...place, payload: value, headers: headers() });
      if (outcome.status !== "unknown") return outcome.status === "appended";
      throw new ServiceFailure("log_unavailable", { retry: "later", message: "no acknowledgement came" });
    },
    // The bucket's own purge leaves a marker for ever: a message for each key that was ever shredded.
    purge: (key) => purgeSubject(log, `KV_${bucket}`, `$KV.${bucket}.${key}`),
    async keys() {
      requireUp(log);
      const keys: string[] = [];
      for await (const key of await kv.keys()) keys.push(key);
      return keys;
    },
    async storedAtMs(key) {
      requireUp(log);
      const entry = await kv.get(key);
      return entry === null || entry.operation !== "PUT" ? undefined : entry.created.getTime();
    },
    async watch(onChange) {
      // The library's own watch ends with its consumer, or is silent for a minute, and tells of nothing in between.
      const prefix = `$KV.${bucket}.`;
      const following = await followStream(log, {
        stream: `KV_${bucket}`,
        deliver: (message) => {
          onChange(message.subject.slice(prefix.length), isValue(message) ? message.string() : undefined);
        },
      });
      return () => {
        void following.close();
      };
    },
  };
}

/** A deletion is a message too, with a header that says so. */
function isValue({ headers: given }: JsMsg): boolean {
  const isDeleted = (given?.get("KV-Operation") ?? "") !== "";
  const isExpired = (given?.get("Nats-Marker-Reason") ?? "") !== "";
  return !isDeleted && !isExpired;
}
