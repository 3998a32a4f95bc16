import type { Bucket } from "@interlude/event-log";
import { type DataKey, type Keyring, newDataKey, unwrapKey, wrapKey } from "@interlude/secrets";

/** One data key a sensitive interaction, wrapped; deleting it shreds the answer in the log. */
export interface AnswerKeys {
  /** Made before the question is stored, so that no answer ever lacks it; `false`: there is one already. */
  make(id: string): Promise<boolean>;
  read(id: string): Promise<DataKey | undefined>;
  shred(id: string): Promise<void>;
  /** The interactions there is a key for. */
  ids(): Promise<string[]>;
  madeAtMs(id: string): Promise<number | undefined>;
}

export function createAnswerKeys(bucket: Bucket, keyring: Keyring): AnswerKeys {
  return {
    make: (id) => bucket.create(id, wrapKey(keyring, newDataKey(), id)),
    async read(id) {
      const wrapped = await bucket.get(id);
      return wrapped === undefined ? undefined : unwrapKey(keyring, wrapped, id);
    },
    shred: (id) => bucket.purge(id),
    ids: () => bucket.keys(),
    madeAtMs: (id) => bucket.storedAtMs(id),
  };
}
