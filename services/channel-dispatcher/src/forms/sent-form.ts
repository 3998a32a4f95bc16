import type { InboundMessage } from "@interlude/channel-kit";
import type { NotificationStore } from "@interlude/event-log";
import { isJsonObject } from "@interlude/kernel";
import type { Ticket } from "@interlude/secrets";
import { absoluteMedia, StoredFormData } from "../application/outgoing-question.ts";
import type { SentForm } from "./page-submission.ts";

export type SentForms = Readonly<{
  notifications: Pick<NotificationStore, "find">;
  links: Readonly<{ baseUrl: string }>;
}>;

/** @param ticket opened before: its id and nonce are this deployment's own. */
export async function findSentForm(
  { notifications, links }: SentForms,
  { id, nonce }: Ticket,
): Promise<SentForm | undefined> {
  const sent = await notifications.find(id);
  if (sent?.ticket?.nonce !== nonce) return undefined;
  const { channel, schema, data, pages, message, address = sent.recipient } = sent;
  if (channel === undefined || address === undefined || !isJsonObject(schema)) return undefined;
  const media = absoluteMedia(sent.media, links.baseUrl);
  return {
    ...{ notificationId: id, channel, address, message, schema },
    ...(media === undefined ? {} : { media }),
    ...(data === undefined ? {} : { data: StoredFormData.parse(data) }),
    ...(pages === undefined ? {} : { pages }),
  };
}

/** What was put in, as the person whose form it was would have written it. */
export function pageMessage(
  { notificationId, address }: SentForm,
  text: string,
  submission: string,
  atMs: number,
): InboundMessage {
  const updateId = `form ${notificationId} ${submission}`;
  return {
    ...{ kind: "message", updateId, address, from: address, text, messageId: updateId, atMs },
    ...{ isDirect: true, ofForm: true },
  };
}
