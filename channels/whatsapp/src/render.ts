import {
  chatMessages,
  nativeMedia,
  numberedPrompt,
  type OutgoingNotification,
  type OutgoingQuestion,
  type ProviderRequest,
  type Rendering,
  splitText,
  withControls,
  withMediaLines,
} from "@interlude/channel-kit";
import type { MediaItem } from "@interlude/contract";
import type { AskTemplate } from "./config.ts";
import { LIMITS } from "./limits.ts";
import { linkButton, mediaMessages, message, tappable, texts, textsWith, yesNo } from "./messages.ts";

export function splitMedia(media: readonly MediaItem[]) {
  return nativeMedia(media, ({ kind }) => kind !== "link");
}

/** Media as messages of their own, and the text with the links of the rest. */
function layMedia(to: string, text: string, media: readonly MediaItem[] = []) {
  const { native, links } = splitMedia(media);
  return { before: native.flatMap((item) => mediaMessages(to, item)), text: withMediaLines(text, links) };
}

function renderControls(question: OutgoingQuestion, text: string, language: string): Rendering {
  const say = chatMessages(language);
  const { recipient: to, reference } = question;
  switch (question.format) {
    case "text": {
      const replies =
        question.options === undefined ? undefined : tappable(reference, question.options, say.choose);
      // Suggestions constrain nothing: where they cannot be tapped the question stands alone.
      if (replies === undefined) return { requests: texts(to, text), shape: "text" };
      return { requests: textsWith(to, text, replies.interactive), shape: replies.shape };
    }
    case "confirm":
      return { requests: textsWith(to, text, yesNo(reference, say.yes, say.no)), shape: "buttons" };
    case "select": {
      const choices = tappable(reference, question.options, say.choose);
      if (choices !== undefined) {
        return { requests: textsWith(to, text, choices.interactive), shape: choices.shape };
      }
      const { text: prompt, numbered } = numberedPrompt(text, question.options, language);
      const requests = texts(to, prompt);
      return numbered === undefined ? { requests, shape: "text" } : { requests, shape: "numbered", numbered };
    }
    case "form":
      return { requests: textsWith(to, text, linkButton(say.openForm, question.pageUrl)), shape: "page" };
    case "external": {
      const button = linkButton(say.open, question.linkUrl ?? question.pageUrl);
      return { requests: textsWith(to, text, button), shape: "link" };
    }
  }
}

export function renderWhatsApp(question: OutgoingQuestion, language: string): Rendering {
  const { before, text } = layMedia(question.recipient, question.question, question.media);
  const { requests, ...rest } = renderControls(question, text, language);
  return { requests: withControls([...before, ...requests]), ...rest };
}

export function renderWhatsAppNotification(
  notification: OutgoingNotification,
  language: string,
): readonly ProviderRequest[] {
  const { recipient: to, reference, options, form } = notification;
  const say = chatMessages(language);
  const { before, text } = layMedia(to, notification.message, notification.media);
  const replies = options === undefined ? undefined : tappable(reference, options, say.choose)?.interactive;
  const controls = form === undefined ? replies : linkButton(say.openForm, form.pageUrl);
  return [...before, ...(controls === undefined ? texts(to, text) : textsWith(to, text, controls))];
}

/** A parameter may hold no line breaks; the beginning is enough, since the whole follows a reply to it. */
function excerpt(question: string): string {
  const line = question.replace(/\s+/g, " ").trim();
  if (line.length <= LIMITS.TEMPLATE_PARAMETER_MAX_CHARS) return line;
  const [start = ""] = splitText(line, LIMITS.TEMPLATE_PARAMETER_MAX_CHARS - 1);
  return `${start.trimEnd()}…`;
}

/** The one kind of message that may go to a person who has not written within 24 hours. */
export function renderWhatsAppOpener(
  question: OutgoingQuestion,
  { name, language }: AskTemplate,
): readonly ProviderRequest[] {
  const parameters = [{ type: "text", text: excerpt(question.question) }];
  const template = { name, language: { code: language }, components: [{ type: "body", parameters }] };
  return [message(question.recipient, { type: "template", template })];
}
