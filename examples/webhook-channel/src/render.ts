import type {
  OutgoingNotification,
  OutgoingQuestion,
  ProviderRequest,
  Rendering,
} from "@interlude/channel-kit";
import { type AskOption, formatInstant, type MediaItem, optionLabel, optionValue } from "@interlude/contract";
import type { JsonObject } from "@interlude/kernel";

const post = (to: string, body: JsonObject): ProviderRequest => ({ method: "POST", body: { to, ...body } });

const shown = (options: readonly AskOption[]): JsonObject[] =>
  options.map((option) => ({ value: optionValue(option), label: optionLabel(option) }));

const withMedia = (media: readonly MediaItem[] | undefined): JsonObject =>
  media === undefined ? {} : { media: media.map((item) => ({ ...item })) };

/** One message a question, and one that carries the controls: the receiver draws what it likes of it. */
export function renderQuestion(question: OutgoingQuestion): Rendering {
  const link = question.format === "external" ? (question.linkUrl ?? question.pageUrl) : undefined;
  const options = question.format === "select" || question.format === "text" ? question.options : undefined;
  const body: JsonObject = {
    kind: "question",
    reference: question.reference,
    format: question.format,
    text: question.question,
    deadline: formatInstant(question.deadlineMs),
    ...(options === undefined ? {} : { options: shown(options) }),
    ...(link === undefined ? {} : { link }),
    ...withMedia(question.media),
  };
  const request = { ...post(question.recipient, body), carriesControls: true };
  return { requests: [request], shape: link === undefined ? "text" : "link" };
}

export function renderNotification(notification: OutgoingNotification): readonly ProviderRequest[] {
  const { reference, recipient, message, media, options } = notification;
  const body: JsonObject = {
    ...{ kind: "notification", reference, text: message },
    ...(options === undefined ? {} : { options: shown(options) }),
    ...withMedia(media),
  };
  return [post(recipient, body)];
}

export function renderNotice(address: string, text: string, replyTo?: string): readonly ProviderRequest[] {
  return [post(address, { kind: "notice", text, ...(replyTo === undefined ? {} : { reply_to: replyTo }) })];
}

export function renderEnd(address: string, messageId: string, text: string): readonly ProviderRequest[] {
  return [post(address, { kind: "end", message_id: messageId, text })];
}
