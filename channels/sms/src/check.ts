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
import { renderSms, type SmsSender } from "./render.ts";

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

function mediaFaults(media: readonly MediaItem[]): FieldFault[] {
  return media.flatMap(({ url }, index) => addressFault(`/media/${index}/url`, `media[${index}].url`, url));
}

export function checkSms(
  content: QuestionContent,
  sender: SmsSender,
  recipients: Recipients,
): readonly FieldFault[] {
  const faults = [
    ...recipientFaults(content.recipient, recipients, CHANNEL),
    ...(content.format === "form" ? checkRenderable(content.schema) : []),
    ...mediaFaults(content.media ?? []),
    ...(content.format === "external" ? addressFault("/link", "link", content.linkUrl ?? "") : []),
  ];
  if (faults.length > 0) return faults;
  const recipient = content.recipient ?? recipients.default ?? "";
  const draft = { ...content, recipient, reference: "draft", pageUrl: "", deadlineMs: 0 };
  return countFaults(content, renderSms(draft, sender).requests.length, CHANNEL.name);
}

export function checkSmsNotification(
  { recipient, media, schema }: NotificationContent,
  recipients: Recipients,
): readonly FieldFault[] {
  return [
    ...recipientFaults(recipient, recipients, CHANNEL),
    ...(schema === undefined ? [] : checkRenderable(schema)),
    ...mediaFaults(media ?? []),
  ];
}
