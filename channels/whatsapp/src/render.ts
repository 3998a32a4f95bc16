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
  withOptionLines,
} from "@interlude/channel-kit";
import type { MediaItem } from "@interlude/contract";
import type { AskTemplate } from "./config.ts";
import { flowControls, type FlowForm, flowOf } from "./flow.ts";
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

/** How this deployment renders; `flows`: forms may be Flows, since there is an account to keep them. */
export type WhatsAppLook = Readonly<{ language: string; flows: boolean }>;

/** A form as a Flow, made before the message that opens it, else as a link to its page. */
function renderForm(
  asked: { recipient: string; reference: string; text: string; form: FlowForm; pageUrl: string },
  { language, flows }: WhatsAppLook,
): { requests: readonly ProviderRequest[]; shape: "modal" | "page" } {
  const { recipient: to, reference, text, form, pageUrl } = asked;
  const { openForm } = chatMessages(language);
  const flow = flows ? flowOf(form, language) : undefined;
  if (flow === undefined) {
    return { requests: textsWith(to, text, linkButton(openForm, pageUrl)), shape: "page" };
  }
  const body = { name: flow.name, categories: ["OTHER"], flow_json: flow.json, publish: true };
  const controls = flowControls(reference, flow, openForm);
  return { requests: [{ method: "flows", body }, ...textsWith(to, text, controls)], shape: "modal" };
}

function renderControls(question: OutgoingQuestion, text: string, look: WhatsAppLook): Rendering {
  const { language } = look;
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
      return renderForm({ ...question, text, form: question }, look);
    case "external": {
      const button = linkButton(say.open, question.linkUrl ?? question.pageUrl);
      return { requests: textsWith(to, text, button), shape: "link" };
    }
  }
}

export function renderWhatsApp(question: OutgoingQuestion, look: WhatsAppLook): Rendering {
  const { before, text } = layMedia(question.recipient, question.question, question.media);
  const { requests, ...rest } = renderControls(question, text, look);
  return { requests: withControls([...before, ...requests]), ...rest };
}

export function renderWhatsAppNotification(
  notification: OutgoingNotification,
  look: WhatsAppLook,
): readonly ProviderRequest[] {
  const { recipient: to, reference, options, form } = notification;
  const { before, text } = layMedia(to, notification.message, notification.media);
  if (form !== undefined) {
    const asked = { recipient: to, reference, text, form, pageUrl: form.pageUrl };
    return [...before, ...renderForm(asked, look).requests];
  }
  const { choose } = chatMessages(look.language);
  if (options === undefined) return [...before, ...texts(to, text)];
  const replies = tappable(reference, options, choose);
  if (replies === undefined) return [...before, ...texts(to, withOptionLines(text, options))];
  return [...before, ...textsWith(to, text, replies.interactive)];
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
