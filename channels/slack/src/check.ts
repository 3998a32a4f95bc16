import {
  countFaults,
  type NotificationContent,
  type QuestionContent,
  recipientFaults,
  type Recipients,
} from "@interlude/channel-kit";
import type { FieldFault, MediaItem } from "@interlude/contract";
import { checkRenderable } from "@interlude/forms";
import { CONVERSATION_SHAPE } from "./address.ts";
import { LIMITS } from "./limits.ts";
import { renderSlack } from "./render.ts";

const CHANNEL = {
  name: "slack",
  address: (recipient: string): string => recipient,
  shape: CONVERSATION_SHAPE,
  example: "an id of a channel or person like C0123456789, or a channel's name like #team",
};

/** Pictures and buttons alike take an address only so long. */
function addressFault(path: string, field: string, url: string): FieldFault[] {
  if (url.length <= LIMITS.URL_MAX_CHARS) return [];
  const message = `${field} must be at most ${LIMITS.URL_MAX_CHARS} characters long on channel slack and has ${url.length}`;
  return [{ path, message }];
}

function mediaFaults(media: readonly MediaItem[]): FieldFault[] {
  return media.flatMap(({ url }, index) => addressFault(`/media/${index}/url`, `media[${index}].url`, url));
}

export function checkSlack(content: QuestionContent, recipients: Recipients): readonly FieldFault[] {
  const faults = [
    ...recipientFaults(content.recipient, recipients, CHANNEL),
    ...(content.format === "form" ? checkRenderable(content.schema) : []),
    ...(content.format === "external" ? addressFault("/link", "link", content.linkUrl ?? "") : []),
    ...mediaFaults(content.media ?? []),
  ];
  if (faults.length > 0) return faults;
  const recipient = content.recipient ?? recipients.default ?? "";
  const draft = { ...content, recipient, reference: "draft", pageUrl: "", deadlineMs: 0 };
  return countFaults(content, renderSlack(draft, "en").requests.length, CHANNEL.name);
}

export function checkSlackNotification(
  { recipient, media, schema }: NotificationContent,
  recipients: Recipients,
): readonly FieldFault[] {
  return [
    ...recipientFaults(recipient, recipients, CHANNEL),
    ...(schema === undefined ? [] : checkRenderable(schema)),
    ...mediaFaults(media ?? []),
  ];
}
