/**
 * How one send ended. Nobody below the queue repeats anything, so that this alone decides what happens next.
 * No reason holds a credential or an address with one.
 */
export type SendOutcome =
  /** `address`: where the provider says it went, when that is not what was asked for. Ids are unique with it only. */
  | Readonly<{ kind: "sent"; messageId: string; address?: string }>
  /**
   * The provider said no: a repeat would be refused too. `needsOpener`: the person has to write first. `refusesUs`: no
   * to whatever we send, as to a token that was revoked.
   */
  | Readonly<{ kind: "rejected"; reason: string; code?: string; needsOpener?: boolean; refusesUs?: boolean }>
  | Readonly<{ kind: "rate_limited"; retryAfterMs: number; scope: "conversation" | "channel" }>
  /** The provider was not reached at all: a repeat is safe. */
  | Readonly<{ kind: "not_sent"; reason: string }>
  /** It may or may not have arrived. */
  | Readonly<{ kind: "unknown"; reason: string }>;
