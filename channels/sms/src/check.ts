import {
  countFaults,
  type NotificationContent,
  type QuestionContent,
  recipientFaults,
  type Recipients,
} from "@interlude/channel-kit";
import type { FieldFault, MediaItem } from "@interlude/contract";
import { checkRenderable } from "@interlude/forms";
import { NUMBER_SHAPE, smsAddress } from "./address.ts";
import { LIMITS } from "./limits.ts";
import { attachedMedia, renderSms, type SmsSender } from "./render.ts";

const CHANNEL = {
  name: "sms",
  address: smsAddress,
  shape: NUMBER_SHAPE,
  example: "a phone number like +15550001111",
};

/** An address that no message can hold whole would reach the person in pieces that open nothing. */
function addressFault(path: string, field: string, url: string): FieldFault[] {
  if (url.length <= LIMITS.BODY_MAX_CHARS) return [];
  const message = `${field} must be at most ${LIMITS.BODY_MAX_CHARS} characters long on channel sms and has ${url.length}`;
  return [{ path, message }];
}

/** Of what is sent as a link: files that go along are no part of the text. */
function mediaFaults(sender: SmsSender, recipient: string, media: readonly MediaItem[]): FieldFault[] {
  const attached = attachedMedia(sender, smsAddress(recipient), media);
  return media.flatMap((item, index) =>
    attached.includes(item) ? [] : addressFault(`/media/${index}/url`, `media[${index}].url`, item.url),
  );
}

export function checkSms(
  content: QuestionContent,
  sender: SmsSender,
  recipients: Recipients,
): readonly FieldFault[] {
  const recipient = content.recipient ?? recipients.default ?? "";
  const faults = [
    ...recipientFaults(content.recipient, recipients, CHANNEL),
    ...(content.format === "form" ? checkRenderable(content.schema) : []),
    ...mediaFaults(sender, recipient, content.media ?? []),
    ...(content.format === "external" ? addressFault("/link", "link", content.linkUrl ?? "") : []),
  ];
  if (faults.length > 0) return faults;
  const draft = { ...content, recipient, reference: "draft", pageUrl: "", deadlineMs: 0 };
  return countFaults(content, renderSms(draft, sender).requests.length, CHANNEL.name);
}

export function checkSmsNotification(
  { recipient, media, schema }: NotificationContent,
  sender: SmsSender,
  recipients: Recipients,
): readonly FieldFault[] {
  return [
    ...recipientFaults(recipient, recipients, CHANNEL),
    ...(schema === undefined ? [] : checkRenderable(schema)),
    ...mediaFaults(sender, recipient ?? recipients.default ?? "", media ?? []),
  ];
}
