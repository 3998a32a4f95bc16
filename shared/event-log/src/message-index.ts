import { sha256Base64Url } from "@interlude/kernel";
import { type Bucket, openBucket } from "./bucket.ts";
import type { Log } from "./connect.ts";

/** Which question a provider's message shows. */
export interface MessageIndex {
  add(channel: string, messageIds: readonly string[], id: string): Promise<void>;
  find(channel: string, messageId: string): Promise<string | undefined>;
  /** The messages show nothing that is kept any more. */
  forget(channel: string, messageIds: readonly string[]): Promise<void>;
}

export function createMessageIndex(log: Log): MessageIndex {
  let opened: Promise<Bucket> | undefined;
  const bucket = (): Promise<Bucket> => {
    opened ??= openBucket(log, "channelMessages").catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const keyOf = (channel: string, messageId: string): string => `${channel}.${sha256Base64Url(messageId)}`;
  return {
    async add(channel, messageIds, id) {
      const kept = await bucket();
      await Promise.all(messageIds.map((messageId) => kept.put(keyOf(channel, messageId), id)));
    },
    async find(channel, messageId) {
      return (await bucket()).get(keyOf(channel, messageId));
    },
    async forget(channel, messageIds) {
      const kept = await bucket();
      for (const messageId of messageIds) await kept.purge(keyOf(channel, messageId));
    },
  };
}
