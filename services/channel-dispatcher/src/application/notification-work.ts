import { formatInstant, type NotificationOutcome, type NotificationSentData } from "@interlude/contract";
import type { Address, NotificationStore } from "@interlude/event-log";
import { type CallbackLinks, notificationFormUrl } from "@interlude/service-kit";
import {
  type OutgoingNotification,
  notificationReferenceOf,
  type ProviderRequest,
} from "@interlude/channel-kit";
import { type Clock, isJsonObject, ServiceFailure } from "@interlude/kernel";
import { toldOutcome } from "./next-step.ts";
import { absoluteMedia, recipientOf, StoredFormData } from "./outgoing-question.ts";
import { Interrupted } from "./question-work.ts";
import { untilDone } from "./until-done.ts";
import type { HeldPartition } from "../ports.ts";

export type NotificationDeps = Readonly<{
  store: NotificationStore;
  links: CallbackLinks & { baseUrl: string };
  clock: Clock;
  onFailure: (error: unknown) => void;
  /** Told of one that did not arrive, as far as anybody knows. */
  onLost: (id: string, reason: string) => void;
  /** Told where the provider says it went: what comes from there is of the same conversation. */
  onAlias: (address: string, alias: string) => Promise<void>;
}>;

export type Requested = Readonly<{ sent: NotificationSentData; address: Address; sequence: number }>;

/** Brings a notification to its conversation, behind what stands there. Whatever becomes of it is stored once. */
export async function deliverNotification(
  deps: NotificationDeps,
  { channel, outbox, stopping }: HeldPartition,
  { sent, address, sequence }: Requested,
): Promise<void> {
  const { store, onFailure, onLost } = deps;
  const recipient = recipientOf(channel, sent);
  const conversation = sent.address ?? channel.address(recipient);
  await outbox.inLane(conversation, async () => {
    if (stopping.aborted) throw new Interrupted();
    if (await untilDone(() => store.isSettled(address, sequence), stopping, onFailure)) return;
    const outcome = await outcomeOf();
    await untilDone(() => store.settle(outcome, address, sequence), stopping, onFailure);
    if (outcome.type === "delivery_failed") onLost(address.id, outcome.data.reason);
  });

  /** What cannot be made now will not be later. */
  function rendered(): readonly ProviderRequest[] | undefined {
    try {
      return channel.renderNotification(outgoingNotification(deps.links, sent, recipient));
    } catch (error) {
      onFailure(error);
      return undefined;
    }
  }

  async function outcomeOf(): Promise<NotificationOutcome> {
    const head = {
      notification_id: address.id,
      channel: channel.name,
      at: formatInstant(deps.clock.nowMs()),
    };
    const requests = rendered();
    if (requests === undefined) {
      return {
        type: "delivery_failed",
        data: { ...head, outcome: "rejected", reason: "it cannot be rendered" },
      };
    }
    const outcomes = await outbox.send(conversation, requests);
    const messageIds: string[] = [];
    let to = conversation;
    for (const outcome of outcomes) {
      if (outcome.kind === "sent") {
        messageIds.push(outcome.messageId);
        to = outcome.address ?? to;
        continue;
      }
      if (stopping.aborted && outcome.kind === "not_sent") throw new Interrupted();
      return {
        type: "delivery_failed",
        data: { ...head, outcome: outcome.kind, reason: toldOutcome(outcome) },
      };
    }
    const place = channel.address(to);
    if (place !== conversation) await untilDone(() => deps.onAlias(conversation, place), stopping, onFailure);
    return { type: "delivered", data: { ...head, address: place, message_ids: messageIds } };
  }
}

export function outgoingNotification(
  links: CallbackLinks & { baseUrl: string },
  sent: NotificationSentData,
  recipient: string,
): OutgoingNotification {
  const media = absoluteMedia(sent.media, links.baseUrl);
  const form = formOf(links, sent);
  return {
    reference: notificationReferenceOf(sent.notification_id),
    recipient,
    message: sent.message,
    ...(media === undefined ? {} : { media }),
    ...(sent.options === undefined ? {} : { options: sent.options }),
    ...(form === undefined ? {} : { form }),
  };
}

function formOf(
  links: CallbackLinks & { baseUrl: string },
  { notification_id: id, schema, data, pages, ticket }: NotificationSentData,
): OutgoingNotification["form"] {
  if (schema === undefined) return undefined;
  if (ticket === undefined || !isJsonObject(schema)) {
    throw new ServiceFailure("event_unreadable", { retry: "never", message: "a form without a page" });
  }
  return {
    schema,
    ...(data === undefined ? {} : { data: StoredFormData.parse(data) }),
    ...(pages === undefined ? {} : { pages }),
    pageUrl: notificationFormUrl(links, id, ticket),
  };
}
