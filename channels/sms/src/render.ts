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
} from "@interlude/channel-kit";
import type { MediaItem } from "@interlude/contract";
import { smsAddress } from "./address.ts";
import { LIMITS } from "./limits.ts";

export type SmsSender = Readonly<{ from: string; language: string }>;

const METHOD = "Messages.json";

/** Media of their own are for the North American numbering plan; everybody else gets links. */
function takesMedia(sender: SmsSender, to: string): boolean {
  return sender.from.startsWith("+1") && to.startsWith("+1");
}

/** The items that go along as media, and the lines that the text gets. */
function layMedia(sender: SmsSender, to: string, media: readonly MediaItem[]) {
  const files = takesMedia(sender, to) ? media.filter(({ kind }) => kind !== "link") : [];
  const attached = files.slice(0, LIMITS.MEDIA_MAX_ITEMS);
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

function withControls(requests: readonly ProviderRequest[]): ProviderRequest[] {
  const last = requests.length - 1;
  return requests.map((request, index) => (index === last ? { ...request, carriesControls: true } : request));
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
  const { message, media = [], form } = notification;
  const to = smsAddress(notification.recipient);
  const { urls, lines } = layMedia(sender, to, media);
  const shown = lines.length === 0 ? message : [message, "", ...lines].join("\n");
  return messages(to, form === undefined ? shown : `${shown}\n\n${form.pageUrl}`, urls);
}

export function renderSmsNotice(address: string, text: string): readonly ProviderRequest[] {
  return messages(smsAddress(address), text);
}
