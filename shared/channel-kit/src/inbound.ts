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

/** Which step of a form of several was sent, and where what was put into the others is kept. */
export type SubmittedStep = Readonly<{
  page: number;
  of: number;
  /** The place of the step's first field. */
  first: number;
  /** By page, the id of the update that holds what was put into it; empty where nothing was. */
  kept: readonly string[];
  /** There where the person goes back: what the provider wants to show the step before. */
  back?: JsonObject;
}>;

/** A step as it is to be shown. */
export type ShownStep = Readonly<{
  page: number;
  kept: readonly string[];
  /** What was put into it before; without, it is as the ask fills it. */
  fields?: readonly SubmittedField[];
  /** What the person is told above it. */
  notice?: string;
}>;

export type InboundSubmission = Seen &
  Readonly<{
    kind: "submission";
    reference: string;
    fields: readonly SubmittedField[];
    step?: SubmittedStep;
    /** The opened form that it is of: what is sent twice from there is one submission. */
    view?: string;
  }>;

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
