import type { FieldFault } from "@interlude/contract";
import type { Capabilities } from "./capabilities.ts";
import type { Inbound, InboundSubmission, InboundTap, ShownStep, SubmittedStep } from "./inbound.ts";
import type { ProviderRequest, Rendering } from "./provider-request.ts";
import type {
  NotificationContent,
  OutgoingNotification,
  OutgoingQuestion,
  QuestionContent,
  QuestionEnd,
  SentQuestion,
} from "./question.ts";
import type { SendOutcome } from "./send-outcome.ts";

/** A provider's request to us, as it came over the wire. */
export type WebhookDelivery = Readonly<{
  method: string;
  /** Path and query exactly as they were sent. */
  url: string;
  headers: { get(name: string): string | null };
  rawBody: Uint8Array;
}>;

export type WebhookReply = Readonly<{ status: number; body: string; contentType?: string }>;

/** Without a reply of its own, a delivery is answered with an empty 200. */
export type ParsedDelivery = Readonly<{ inbound: readonly Inbound[]; reply?: WebhookReply }>;

/** One medium. Everything but `send` and `start` is pure: the same input gives the same bytes. */
export interface Channel {
  readonly name: string;
  readonly capabilities: Capabilities;

  /** What this medium cannot honour, by the ask's fields. Nothing that passes is ever cut when it is sent. */
  check(content: QuestionContent): readonly FieldFault[];
  checkNotification(content: NotificationContent): readonly FieldFault[];
  /** The recipient of an ask without one. */
  readonly defaultRecipient: string | undefined;
  /** One spelling for each conversation, so that what is sent and what comes back meet; idempotent. */
  address(recipient: string): string;

  render(question: OutgoingQuestion): Rendering;
  /** Takes the controls away and says how it ended; nothing where the medium cannot change what it sent. */
  renderEnd(sent: SentQuestion, end: QuestionEnd): readonly ProviderRequest[];
  renderNotice(address: string, text: string, replyTo?: string): readonly ProviderRequest[];
  renderNotification(notification: OutgoingNotification): readonly ProviderRequest[];
  /** Shows the person that a tap has arrived; `text` is shown to them alone. */
  renderAcknowledge?(tap: InboundTap, text?: string): readonly ProviderRequest[];
  /** Opens the medium's own form in answer to a tap on it; nothing for what has none. */
  renderForm?(asked: OutgoingQuestion | OutgoingNotification, tap: InboundTap): readonly ProviderRequest[];
  /** The answer to a submission that shows the faults at their fields; paths start at the answer. */
  refuseSubmission?(
    asked: OutgoingQuestion | OutgoingNotification,
    faults: readonly FieldFault[],
    step?: SubmittedStep,
  ): WebhookReply;
  /** The answer to a step's submission that shows another step in its place. */
  renderStep?(
    asked: OutgoingQuestion | OutgoingNotification,
    step: ShownStep,
    submitted: InboundSubmission,
  ): WebhookReply;
  /** Shows a step in place of the one that the person goes back from. */
  renderBack?(
    asked: OutgoingQuestion | OutgoingNotification,
    step: ShownStep,
    submitted: InboundSubmission,
  ): readonly ProviderRequest[];
  /** What may go to a person who has to write first, in place of the question; see `SendOutcome`. */
  renderOpener?(question: OutgoingQuestion): readonly ProviderRequest[];

  /** One attempt, bounded in time, that never throws and never repeats anything. */
  send(request: ProviderRequest, signal: AbortSignal): Promise<SendOutcome>;

  /** Refuses, and never throws, whatever came. */
  verify(delivery: WebhookDelivery, nowMs: number): { readonly ok: boolean };
  /** Only of what `verify` let pass; what cannot be read is `ignored` with the reason. */
  parse(delivery: WebhookDelivery): ParsedDelivery;

  /** Tells the provider where to deliver. @throws ServiceFailure when it refuses. */
  start?(context: { publicBaseUrl: string; signal: AbortSignal }): Promise<void>;
}
