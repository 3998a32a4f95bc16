import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "redis";
import { CheckpointError } from "./errors.ts";
import type { RedisClient } from "./redis-client.ts";

export type Connection = {
  client: RedisClient;
  end(): Promise<void>;
};

const LONGEST_BACKOFF_MS = 2_000;
/** What was sent may still be answered; after that the connection is cut. */
const PARTING_MS = 2_000;

/** The client's own error carries the address, which may hold a password. */
function addressOf(url: string): { url: string } {
  try {
    const { protocol, username, password } = new URL(url);
    decodeURIComponent(username + password);
    if (protocol === "redis:" || protocol === "rediss:") return { url };
  } catch {
    // Told below, in words that hold nothing of it.
  }
  throw new CheckpointError(
    "config_invalid",
    "the address of Redis is none of the form redis://[user:password@]host:port",
  );
}

/** A first connection that fails is told at once; one that breaks later is made again, without end. */
export async function connect(url: string): Promise<Connection> {
  let isKnown = false;
  const client = createClient({
    ...addressOf(url),
    // Plain Redis and Valkey have no such notifications.
    maintNotifications: "disabled",
    socket: {
      reconnectStrategy: (attempts, cause) =>
        isKnown ? Math.min(50 * 2 ** Math.min(attempts, 10), LONGEST_BACKOFF_MS) : cause,
    },
  });
  // Without a listener a broken connection would end the process. Who waits for a command is told by it.
  client.on("error", () => undefined);
  await client.connect();
  isKnown = true;
  return {
    client,
    async end() {
      if (!client.isOpen) return;
      // The client waits without end for replies that may never come.
      const parting = new AbortController();
      const patience = delay(PARTING_MS, undefined, { signal: parting.signal }).catch(() => undefined);
      await Promise.race([client.close(), patience]);
      parting.abort();
      client.destroy();
    },
  };
}
