import {
  chatMessages,
  mediaLine,
  numberedPrompt,
  type OutgoingNotification,
  type OutgoingQuestion,
  type ProviderRequest,
  type QuestionFormat,
  type Rendering,
  type Shape,
  splitText,
  withControls,
  withOptionLines,
} from "@interlude/channel-kit";
import type { MediaItem } from "@interlude/contract";
import { smsAddress } from "./address.ts";
import { LIMITS } from "./limits.ts";

export type SmsSender = Readonly<{ from: string; language: string }>;

const METHOD = "Messages.json";

/**
 * The items that go along as files: those are for the North American numbering plan, and everybody else gets
 * links.
 */
export function attachedMedia(
  sender: SmsSender,
  to: string,
  media: readonly MediaItem[],
): readonly MediaItem[] {
  if (!sender.from.startsWith("+1") || !to.startsWith("+1")) return [];
  return media.filter(({ kind }) => kind !== "link").slice(0, LIMITS.MEDIA_MAX_ITEMS);
}

/** The addresses of files that go along, and the lines that the text gets. */
function layMedia(sender: SmsSender, to: string, media: readonly MediaItem[]) {
  const attached = attachedMedia(sender, to, media);
  const lines = media.flatMap((item) => {
    if (!attached.includes(item)) return [mediaLine(item)];
    return item.caption === undefined ? [] : [item.caption];
  });
  return { urls: attached.map(({ url }) => url), lines };
}

type Prompt = Readonly<{ text: string; shape: Shape; numbered?: readonly string[] }>;

function prompt(text: string, question: QuestionFormat & { pageUrl: string }, language: string): Prompt {
  switch (question.format) {
    case "text":
      return { text, shape: "text" };
    case "confirm":
      return { text: `${text}\n\n${chatMessages(language).replyYesNo}`, shape: "text" };
    case "select": {
      const numbered = numberedPrompt(text, question.options, language);
      return { ...numbered, shape: numbered.numbered === undefined ? "text" : "numbered" };
    }
    case "form":
      return { text: `${text}\n\n${question.pageUrl}`, shape: "page" };
    case "external":
      return { text: `${text}\n\n${question.linkUrl ?? question.pageUrl}`, shape: "link" };
  }
}

function messages(to: string, text: string, urls: readonly string[] = []): ProviderRequest[] {
  return splitText(text, LIMITS.BODY_MAX_CHARS).map((part, index) => ({
    method: METHOD,
    body: { To: to, Body: part, ...(index === 0 && urls.length > 0 ? { MediaUrl: urls } : {}) },
  }));
}

export function renderSms(question: OutgoingQuestion, sender: SmsSender): Rendering {
  const to = smsAddress(question.recipient);
  const { urls, lines } = layMedia(sender, to, question.media ?? []);
  const shown = lines.length === 0 ? question.question : [question.question, "", ...lines].join("\n");
  const { text, ...rest } = prompt(shown, question, sender.language);
  return { requests: withControls(messages(to, text, urls)), ...rest };
}

export function renderSmsNotification(
  notification: OutgoingNotification,
  sender: SmsSender,
): readonly ProviderRequest[] {
  const { message, media = [], options, form } = notification;
  const to = smsAddress(notification.recipient);
  const { urls, lines } = layMedia(sender, to, media);
  const shown = lines.length === 0 ? message : [message, "", ...lines].join("\n");
  const text = options === undefined ? shown : withOptionLines(shown, options);
  return messages(to, form === undefined ? text : `${text}\n\n${form.pageUrl}`, urls);
}

export function renderSmsNotice(address: string, text: string): readonly ProviderRequest[] {
  return messages(smsAddress(address), text);
}
