import type { Bucket } from "@interlude/event-log";
import { type DataKey, type Keyring, newDataKey, unwrapKey, wrapKey } from "@interlude/secrets";

/** One data key a sensitive interaction, wrapped; deleting it shreds the answer in the log. */
export interface AnswerKeys {
  /** Made before the question is stored, so that no answer ever lacks it; repeating it changes nothing. */
  make(id: string): Promise<void>;
  read(id: string): Promise<DataKey | undefined>;
  shred(id: string): Promise<void>;
}

export function createAnswerKeys(bucket: Bucket, keyring: Keyring): AnswerKeys {
  return {
    async make(id) {
      await bucket.create(id, wrapKey(keyring, newDataKey(), id));
    },
    async read(id) {
      const wrapped = await bucket.get(id);
      return wrapped === undefined ? undefined : unwrapKey(keyring, wrapped, id);
    },
    shred: (id) => bucket.purge(id),
  };
}
