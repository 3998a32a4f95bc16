import type { Sql } from "./sql.ts";

/** `undefined`: notifications may have been missed, so look for yourself. */
export type Listener = (payload: string | undefined) => void;

/** LISTEN once a channel and process, however many wait: the driver keeps one connection for it and comes back. */
export function createListening(sql: Sql) {
  const channels = new Map<string, { listeners: Set<Listener>; ready: Promise<unknown> }>();

  function channelOf(name: string) {
    const existing = channels.get(name);
    if (existing !== undefined) return existing;
    const listeners = new Set<Listener>();
    const tell = (payload: string | undefined): void => {
      for (const listener of listeners) listener(payload);
    };
    // The second callback runs after each reconnect too, when whatever was sent meanwhile is gone.
    const ready = sql.listen(name, tell, () => {
      tell(undefined);
    });
    const channel = { listeners, ready };
    channels.set(name, channel);
    return channel;
  }

  return {
    async subscribe(name: string, listener: Listener): Promise<() => void> {
      const channel = channelOf(name);
      channel.listeners.add(listener);
      const unsubscribe = (): void => {
        channel.listeners.delete(listener);
      };
      try {
        await channel.ready;
        return unsubscribe;
      } catch (error) {
        unsubscribe();
        channels.delete(name);
        throw error;
      }
    },
    close(): void {
      channels.clear();
    },
  };
}
