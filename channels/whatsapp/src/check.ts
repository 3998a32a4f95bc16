import {
  countFaults,
  type NotificationContent,
  type QuestionContent,
  recipientFaults,
  type Recipients,
} from "@interlude/channel-kit";
import type { FieldFault, MediaItem } from "@interlude/contract";
import { checkRenderable } from "@interlude/forms";
import { NUMBER_SHAPE, whatsAppAddress } from "./address.ts";
import { LIMITS } from "./limits.ts";
import { renderWhatsApp, splitMedia } from "./render.ts";

const CHANNEL = {
  name: "whatsapp",
  address: whatsAppAddress,
  shape: NUMBER_SHAPE,
  example: "a phone number like +15550001111",
};

/** What is sent as a link stands in a text, which cannot be cut within it. */
function mediaFaults(media: readonly MediaItem[]): FieldFault[] {
  const max = LIMITS.INTERACTIVE_BODY_MAX_CHARS;
  const { links } = splitMedia(media);
  return media.flatMap((item, index): FieldFault[] => {
    const { url } = item;
    if (url.length <= max || !links.includes(item)) return [];
    const message = `media[${index}].url must be at most ${max} characters long on channel whatsapp and has ${url.length}`;
    return [{ path: `/media/${index}/url`, message }];
  });
}

export function checkWhatsApp(content: QuestionContent, recipients: Recipients): readonly FieldFault[] {
  const faults = [
    ...recipientFaults(content.recipient, recipients, CHANNEL),
    ...(content.format === "form" ? checkRenderable(content.schema) : []),
    ...mediaFaults(content.media ?? []),
  ];
  if (faults.length > 0) return faults;
  const recipient = content.recipient ?? recipients.default ?? "";
  const draft = { ...content, recipient, reference: "draft", pageUrl: "", deadlineMs: 0 };
  return countFaults(
    content,
    renderWhatsApp(draft, { language: "en", flows: true }).requests.length,
    CHANNEL.name,
  );
}

export function checkWhatsAppNotification(
  { recipient, media, schema }: NotificationContent,
  recipients: Recipients,
): readonly FieldFault[] {
  return [
    ...recipientFaults(recipient, recipients, CHANNEL),
    ...(schema === undefined ? [] : checkRenderable(schema)),
    ...mediaFaults(media ?? []),
  ];
}
