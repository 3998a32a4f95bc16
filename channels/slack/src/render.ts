import {
  chatMessages,
  endText,
  type InboundTap,
  nativeMedia,
  numberedPrompt,
  type OutgoingNotification,
  type OutgoingQuestion,
  type ProviderRequest,
  type QuestionEnd,
  type Rendering,
  type SentQuestion,
  type Shape,
  type ShownStep,
  splitText,
  withControls,
  withOptionLines,
} from "@interlude/channel-kit";
import type { MediaItem } from "@interlude/contract";
import { isJsonList, isJsonObject, type JsonObject } from "@interlude/kernel";
import { isDirect } from "./address.ts";
import {
  buttons,
  fits,
  formButton,
  imageBlock,
  linkButton,
  linkedMedia,
  menu,
  sections,
  yesNo,
} from "./blocks.ts";
import { LIMITS } from "./limits.ts";
import { messageBody, messages } from "./messages.ts";
import { fitsModal, formOf, renderModal } from "./modal.ts";

function mediaBlocks(media: readonly MediaItem[] = [], open: string): JsonObject[] {
  // Slack fetches pictures itself, over https only.
  const { native } = nativeMedia(media, ({ kind, url }) => kind === "image" && url.startsWith("https://"));
  return media.map((item, place) =>
    native.includes(item) ? imageBlock(item) : linkedMedia(item, place, open),
  );
}

type Controls = Readonly<{ text: string; shape: Shape; control?: JsonObject; numbered?: readonly string[] }>;

/** In a shared channel only a reply in the thread answers, so the person is told to make one. */
function typed(to: string, text: string, language: string): string {
  return isDirect(to) ? text : `${text}\n\n${chatMessages(language).replyInThread}`;
}

function selectControls(
  question: Extract<OutgoingQuestion, { format: "select" }>,
  language: string,
): Controls {
  const { question: text, reference, options, recipient } = question;
  if (fits(options, LIMITS.BUTTONS_MAX_ITEMS, LIMITS.BUTTON_MAX_CHARS)) {
    return { text, shape: "buttons", control: buttons(reference, options) };
  }
  if (fits(options, LIMITS.SELECT_MAX_ITEMS, LIMITS.OPTION_MAX_CHARS)) {
    return { text, shape: "select", control: menu(reference, options, chatMessages(language).chooseOne) };
  }
  const { text: prompt, numbered } = numberedPrompt(text, options, language);
  const shown = typed(recipient, prompt, language);
  return numbered === undefined
    ? { text: shown, shape: "text" }
    : { text: shown, shape: "numbered", numbered };
}

function controlsOf(question: OutgoingQuestion, language: string): Controls {
  const say = chatMessages(language);
  const { question: text, reference, recipient, pageUrl } = question;
  switch (question.format) {
    case "text": {
      const { options } = question;
      // Suggestions constrain nothing: where they cannot be tapped the question stands alone.
      if (options === undefined || !fits(options, LIMITS.ACTIONS_MAX_ITEMS, LIMITS.BUTTON_MAX_CHARS)) {
        return { text: typed(recipient, text, language), shape: "text" };
      }
      return { text, shape: "buttons", control: buttons(reference, options) };
    }
    case "confirm":
      return { text, shape: "buttons", control: yesNo(reference, say.yes, say.no) };
    case "select":
      return selectControls(question, language);
    case "form":
      return fitsModal(text, question)
        ? { text, shape: "modal", control: formButton(reference, say.openForm) }
        : { text, shape: "page", control: linkButton(say.openForm, pageUrl) };
    case "external":
      return { text, shape: "link", control: linkButton(say.open, question.linkUrl ?? pageUrl) };
  }
}

export function renderSlack(question: OutgoingQuestion, language: string): Rendering {
  const { text, control, ...rest } = controlsOf(question, language);
  const media = mediaBlocks(question.media, chatMessages(language).open);
  const blocks = [...media, ...sections(text), ...(control === undefined ? [] : [control])];
  return { requests: withControls(messages(question.recipient, blocks)), ...rest };
}

function formControl(
  { message, reference }: OutgoingNotification,
  form: NonNullable<OutgoingNotification["form"]>,
  open: string,
): JsonObject {
  return fitsModal(message, form) ? formButton(reference, open) : linkButton(open, form.pageUrl);
}

export function renderSlackNotification(
  notification: OutgoingNotification,
  language: string,
): readonly ProviderRequest[] {
  const { recipient, message, media, reference, options = [], form } = notification;
  const say = chatMessages(language);
  const canTap = options.length > 0 && fits(options, LIMITS.ACTIONS_MAX_ITEMS, LIMITS.BUTTON_MAX_CHARS);
  const text = options.length === 0 || canTap ? message : withOptionLines(message, options);
  const controls = [
    ...(canTap ? [buttons(reference, options)] : []),
    ...(form === undefined ? [] : [formControl(notification, form, say.openForm)]),
  ];
  return messages(recipient, [...mediaBlocks(media, say.open), ...sections(text), ...controls]);
}

export function renderSlackNotice(
  address: string,
  text: string,
  replyTo?: string,
): readonly ProviderRequest[] {
  return messages(address, sections(text), replyTo);
}

/** Shown to that person alone; that the tap arrived Slack shows by itself. */
export function renderSlackAcknowledge(tap: InboundTap, text?: string): readonly ProviderRequest[] {
  if (text === undefined) return [];
  return splitText(text, LIMITS.BLOCKS_TOTAL_MAX_CHARS).map((part) => ({
    method: "chat.postEphemeral",
    body: { channel: tap.address, user: tap.from, ...messageBody(sections(part)) },
  }));
}

export function renderSlackForm(
  asked: OutgoingQuestion | OutgoingNotification,
  tap: InboundTap,
  language: string,
): readonly ProviderRequest[] {
  const form = formOf(asked);
  const trigger = tap.acknowledge?.["trigger_id"];
  const question = textOf(asked);
  if (form === undefined || trigger === undefined || !fitsModal(question, form)) return [];
  const view = renderModal({ question, reference: asked.reference, form, address: tap.address, language });
  return [{ method: "views.open", body: { trigger_id: trigger, view } }];
}

const textOf = (asked: OutgoingQuestion | OutgoingNotification): string =>
  "message" in asked ? asked.message : asked.question;

export type StepOf = Readonly<{
  asked: OutgoingQuestion | OutgoingNotification;
  step: ShownStep;
  address: string;
  language: string;
}>;

/** Another step in place of the one that is shown; `undefined` for what is no form. */
export function renderSlackStep({ asked, step, address, language }: StepOf): JsonObject | undefined {
  const form = formOf(asked);
  const { reference } = asked;
  return form === undefined
    ? undefined
    : renderModal({ question: textOf(asked), reference, form, address, language, step });
}

/** The message again, with how it ended in place of its controls; what is too long for that follows it. */
export function renderSlackEnd(
  { question, address, messageId }: SentQuestion,
  end: QuestionEnd,
  language: string,
): readonly ProviderRequest[] {
  const blocks = renderSlack(question, language).requests.at(-1)?.body["blocks"];
  const shown = isJsonList(blocks) ? blocks.filter(isJsonObject) : [];
  const kept = shown.filter(({ type }) => type !== "actions");
  const text = endText(end, language);
  const isShort = text.length <= LIMITS.SECTION_MAX_CHARS;
  const said = isShort ? text : endText({ status: end.status }, language);
  const body = { channel: address, ts: messageId, ...messageBody([...kept, ...sections(said)]) };
  const update = { method: "chat.update", body };
  return isShort ? [update] : [update, ...renderSlackNotice(address, text, messageId)];
}
