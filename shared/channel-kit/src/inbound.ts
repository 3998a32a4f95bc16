import type { JsonObject } from "@interlude/kernel";

export type InboundMedia = Readonly<{ kind: string; id?: string; url?: string; contentType?: string }>;

/** What a person put into a field of a medium's own form, which is known by its place in the form. */
export type SubmittedField = Readonly<{ place: number }> &
  (Readonly<{ text: string }> | Readonly<{ choice: number }>);

type Seen = Readonly<{
  /** The provider's own id of the update: a repeat has the same. */
  updateId: string;
  /** The conversation, as `Channel.address` writes it. */
  address: string;
  /** The provider's id of the person. */
  from: string;
  /** Where the provider says when. */
  atMs?: number;
}>;

export type InboundMessage = Seen &
  Readonly<{
    kind: "message";
    messageId: string;
    text?: string;
    media?: readonly InboundMedia[];
    /** The message that this one is in reply to. */
    replyTo?: string;
    isDirect: boolean;
    /** What came with the words and is none of them; see `boundedParams`. */
    params?: Readonly<Record<string, string>>;
    /** It was put into a form that nobody waits for, and so is to no question. */
    ofForm?: true;
  }>;

export type InboundTap = Seen &
  Readonly<{
    kind: "tap";
    /** The message that holds what was tapped. */
    messageId: string;
    reference: string;
    /** An option's place, or `yes`, `no`, `form`. */
    choice: string;
    /** `false`: in a group, where what is said to it goes under the message. */
    isDirect?: boolean;
    /** What the provider wants back to show that the tap arrived; see `Channel.renderAcknowledge`. */
    acknowledge?: JsonObject;
  }>;

export type InboundSubmission = Seen &
  Readonly<{ kind: "submission"; reference: string; fields: readonly SubmittedField[] }>;

export type InboundStatus = Readonly<{
  kind: "status";
  updateId: string;
  messageId: string;
  status: "sent" | "delivered" | "read" | "failed";
  code?: string;
  /** As in `SendOutcome`, where the provider finds out late. */
  needsOpener?: boolean;
  atMs?: number;
}>;

export type Inbound =
  | InboundMessage
  | InboundTap
  | InboundSubmission
  | InboundStatus
  | Readonly<{ kind: "ignored"; updateId?: string; reason: string }>;
