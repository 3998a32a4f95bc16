import type { Sql } from "./sql.ts";

/** `undefined`: notifications may have been missed until now, so look for yourself. */
export type Listener = (payload: string | undefined) => void;

export interface Listening {
  /** Calls back for each NOTIFY on the channel, and with `undefined` each time LISTEN has come into effect. */
  subscribe(channel: string, listener: Listener): () => void;
}

/** LISTEN once a channel and process, however many wait: the driver keeps one connection for it and comes back. */
export function createListening(sql: Sql): Listening {
  const channels = new Map<string, Set<Listener>>();

  function listen(channel: string): Set<Listener> {
    const listeners = new Set<Listener>();
    channels.set(channel, listeners);
    const tell = (payload: string | undefined): void => {
      for (const listener of listeners) listener(payload);
    };
    // The driver tries for as long as it takes, so a failure is no more than a delay.
    sql
      .listen(channel, tell, () => {
        tell(undefined);
      })
      .catch(() => undefined);
    return listeners;
  }

  return {
    subscribe(channel, listener) {
      const listeners = channels.get(channel) ?? listen(channel);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
