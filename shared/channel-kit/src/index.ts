export {
  brokenOutcome,
  callProvider,
  type ProviderAnswer,
  type ProviderCall,
  STOPPED,
} from "./call-provider.ts";
export type { Capabilities } from "./capabilities.ts";
export type { Channel, ParsedDelivery, WebhookDelivery, WebhookReply } from "./channel.ts";
export { chatMessages, type ChatMessages } from "./chat-messages.ts";
export { confirmWord } from "./confirm-words.ts";
export { endText, expectation, fillNotice } from "./expectation.ts";
export type {
  Inbound,
  InboundMedia,
  InboundMessage,
  InboundStatus,
  InboundSubmission,
  InboundTap,
  ShownStep,
  SubmittedField,
  SubmittedStep,
} from "./inbound.ts";
export { matchReply, type ReplyMatch, type ReplyQuestion } from "./match-reply.ts";
export { mediaLine, withMediaLines } from "./media-lines.ts";
export { countFaults, MESSAGES_PER_QUESTION } from "./message-count.ts";
export { nativeMedia } from "./native-media.ts";
export { numberedPrompt } from "./numbered-prompt.ts";
export { withOptionLines } from "./option-lines.ts";
export {
  notificationReferenceOf,
  optionToken,
  parseNotificationReference,
  parseOptionToken,
  referenceOf,
} from "./option-token.ts";
export type { ChannelOptions, OpenChannel } from "./open-channel.ts";
export type { ProviderRequest, Rendering, Shape } from "./provider-request.ts";
export type {
  NotificationContent,
  OutgoingNotification,
  OutgoingQuestion,
  QuestionContent,
  QuestionEnd,
  QuestionFormat,
  SentQuestion,
} from "./question.ts";
export {
  API_URL,
  apiBase,
  readRecipients,
  readSetup,
  SECRET,
  TEXT,
  type ChannelSetup,
  type Rule,
  type Variables,
} from "./read-setup.ts";
export { recipientFaults, type Recipients } from "./recipients.ts";
export { AnswerFault, providerFetch } from "./provider-fetch.ts";
export { RETRY_AFTER_DEFAULT_MS, retryAfterMs } from "./retry-after.ts";
export type { SendOutcome } from "./send-outcome.ts";
export { statusOutcome } from "./status-outcome.ts";
export { sentMediaKind } from "./sent-media-kind.ts";
export { splitText } from "./split-text.ts";
export { submittedEntries } from "./submitted-entries.ts";
export { toldReason } from "./told-reason.ts";
export { withControls } from "./with-controls.ts";
