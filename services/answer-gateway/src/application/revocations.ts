import type { Bucket } from "@interlude/event-log";

const PREFIX = "revoked.";

/** Sessions signed out before their time, known in every process within moments. */
export interface Revocations {
  isRevoked(sessionId: string): boolean;
  revoke(sessionId: string): Promise<void>;
  stop(): void;
}

export async function openRevocations(sessions: Bucket): Promise<Revocations> {
  const revoked = new Set<string>();
  const take = (key: string) => {
    if (key.startsWith(PREFIX)) revoked.add(key.slice(PREFIX.length));
  };
  // Watching begins before the list is read, so that nothing falls between.
  const stop = await sessions.watch(take);
  for (const key of await sessions.keys()) take(key);
  return {
    isRevoked: (sessionId) => revoked.has(sessionId),
    async revoke(sessionId) {
      revoked.add(sessionId);
      await sessions.put(`${PREFIX}${sessionId}`, "out");
    },
    stop,
  };
}
