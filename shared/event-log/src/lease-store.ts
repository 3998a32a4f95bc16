import { headers } from "@nats-io/nats-core";
import { appendMessage, type AppendOutcome } from "./append.ts";
import { BUCKETS } from "./bucket.ts";
import type { Log } from "./connect.ts";
import { directGet } from "./direct-get.ts";

/** Who has what for the time being. A lease nobody renews is gone after `ttlMs`, by the server's clock. */
export interface LeaseStore {
  readonly ttlMs: number;
  /** Everything that is held under the prefix; given back ones have no holder. May be a moment behind. */
  list(prefix: string): Promise<readonly Lease[]>;
  /**
   * Takes it (`revision` 0, or that of one given back) or renews it: one of many callers wins, and whoever was
   * slow finds it gone. `unknown`: no acknowledgement came.
   */
  hold(key: string, holder: string, revision: number): Promise<AppendOutcome>;
  /** Lets others have it at once, and the next holder know that nothing of it was left undone. */
  giveBack(key: string, revision: number): Promise<void>;
}

export type Lease = Readonly<{ key: string; holder: string; revision: number }>;

const { name: BUCKET, ttlMs } = BUCKETS.leases;
const PREFIX = `$KV.${BUCKET}.`;
const decoder = new TextDecoder();

export function createLeaseStore(log: Log): LeaseStore {
  function write(key: string, holder: string, revision: number): Promise<AppendOutcome> {
    const subject = `${PREFIX}${key}`;
    return appendMessage(log, {
      subject,
      filter: subject,
      position: revision,
      payload: holder,
      headers: headers(),
    });
  }

  return {
    ttlMs,
    async list(prefix) {
      const stored = await directGet(log, `KV_${BUCKET}`, { multi_last: [`${PREFIX}${prefix}.>`] });
      return stored.map(({ subject, seq, data }) => ({
        key: subject.slice(PREFIX.length),
        holder: decoder.decode(data),
        revision: seq,
      }));
    },
    hold: write,
    async giveBack(key, revision) {
      await write(key, "", revision);
    },
  };
}
