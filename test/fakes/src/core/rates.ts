export type Rate = Readonly<{ count: number; perMs: number }>;
export type RateLimits = Readonly<{ perConversation?: Rate; overall?: Rate }>;
export type Exceeded = Readonly<{ scope: "conversation" | "overall"; retryAfterSeconds: number }>;

export interface Rates {
  readonly limit: (limits: RateLimits) => void;
  /** Counts one message, or says which limit it would break; a refused one does not count. */
  readonly take: (conversation: string, nowMs: number) => Exceeded | undefined;
}

export function createRates(): Rates {
  let limits: RateLimits = {};
  let sent: { conversation: string; atMs: number }[] = [];

  const waitFor = (rate: Rate | undefined, times: readonly number[], nowMs: number): number => {
    if (rate === undefined) return 0;
    const within = times.filter((atMs) => atMs > nowMs - rate.perMs);
    const oldest = within.at(-rate.count);
    return oldest === undefined ? 0 : oldest + rate.perMs - nowMs;
  };

  return {
    limit(next) {
      limits = next;
      sent = [];
    },
    take(conversation, nowMs) {
      const own = sent.filter((entry) => entry.conversation === conversation).map(({ atMs }) => atMs);
      const all = sent.map(({ atMs }) => atMs);
      const waits = [
        { scope: "conversation" as const, ms: waitFor(limits.perConversation, own, nowMs) },
        { scope: "overall" as const, ms: waitFor(limits.overall, all, nowMs) },
      ];
      const broken = waits.find(({ ms }) => ms > 0);
      if (broken !== undefined) {
        return { scope: broken.scope, retryAfterSeconds: Math.max(1, Math.ceil(broken.ms / 1000)) };
      }
      sent.push({ conversation, atMs: nowMs });
      return undefined;
    },
  };
}
