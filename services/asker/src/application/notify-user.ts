import type { Channel } from "@interlude/channel-kit";
import {
  CAPS,
  type FieldFault,
  formatInstant,
  type Notification,
  type NotificationSentData,
  parseNotification,
} from "@interlude/contract";
import type { NotificationStore, TraceContext } from "@interlude/event-log";
import { canonicalJson, type Clock, type Json, sha256Base64Url } from "@interlude/kernel";
import type { CallbackLinks } from "@interlude/service-kit";
import { newNonce } from "@interlude/secrets";
import {
  type ChannelChoice,
  destinationOf,
  findChannel,
  notificationFaults,
  shownMedia,
} from "./ask-channel.ts";
import { itemsAsLong, referenceFaults, type MediaPlan, placeMedia, planMedia } from "./ask-media.ts";
import { checkForm } from "./check-ask.ts";
import { identifyAsk } from "./identify-ask.ts";
import type { AskMedia } from "./ports.ts";

export type NotifyDeps = ChannelChoice & {
  notifications: NotificationStore;
  clock: Clock;
  media: AskMedia;
  links: CallbackLinks;
};

export type NotifyRequest = {
  subject: string;
  body: Json;
  idempotencyKey: string | undefined;
  trace?: TraceContext;
};

export type NotifyOutcome =
  | { kind: "sent"; id: string; isRepeat: boolean; isOverChannel: boolean }
  | { kind: "invalid"; faults: readonly FieldFault[] }
  | { kind: "conflict" }
  | { kind: "too_large" };

type Stamp = Pick<NotificationSentData, "sender" | "fingerprint">;

/** Says something that needs no answer. As with a question, all that can refuse it comes before what is stored. */
export async function notifyUser(deps: NotifyDeps, request: NotifyRequest): Promise<NotifyOutcome> {
  const { keyring, baseUrl } = deps.links;
  const nowMs = deps.clock.nowMs();
  const { subject, idempotencyKey } = request;
  const identified = identifyAsk({ subject, bodyId: undefined, idempotencyKey }, keyring, nowMs);
  const stamp = { sender: subject, fingerprint: sha256Base64Url(canonicalJson(request.body)) };
  // What the key stands for comes before any rule, as with a question.
  if (identified.ok && identified.isGiven) {
    const sent = await deps.notifications.find(identified.id);
    if (sent !== undefined) return repeatOf(sent, stamp);
  }
  const parsed = parseNotification(request.body, { publicBaseUrl: baseUrl });
  const refused = !identified.ok && identified.kind === "invalid" ? identified.faults : [];
  if (!parsed.ok) return { kind: "invalid", faults: [...parsed.faults, ...refused] };
  if (!identified.ok) return { kind: "invalid", faults: refused };
  const { schema } = parsed.value;
  const ofForm = schema === undefined ? [] : checkForm({ ...parsed.value, schema });
  if (ofForm.length > 0) return { kind: "invalid", faults: ofForm };
  const head = { ...stamp, notification_id: identified.id, created_at: formatInstant(nowMs) };
  return sendNew(deps, request, parsed.value, head);
}

function repeatOf(sent: NotificationSentData, stamp: Stamp): NotifyOutcome {
  const isSame = sent.sender === stamp.sender && sent.fingerprint === stamp.fingerprint;
  return isSame ? sentAs(sent, true) : { kind: "conflict" };
}

function sentAs({ notification_id: id, channel }: NotificationSentData, isRepeat: boolean): NotifyOutcome {
  return { kind: "sent", id, isRepeat, isOverChannel: channel !== undefined };
}

type Head = Stamp & Pick<NotificationSentData, "notification_id" | "created_at">;

async function sendNew(
  deps: NotifyDeps,
  { trace }: NotifyRequest,
  notification: Notification,
  head: Head,
): Promise<NotifyOutcome> {
  const plan = planMedia(notification.media, deps.links.baseUrl);
  const found = findChannel(notification.channel, deps);
  const { baseUrl, keyring } = deps.links;
  const faults = [
    ...(found.ok ? mediumFaults(found.channel, notification, plan, baseUrl) : found.faults),
    ...(await referenceFaults(deps.media, plan)),
  ];
  if (faults.length > 0 || !found.ok) return { kind: "invalid", faults };
  const { channel } = found;
  const place: Place = {
    ...(channel === undefined ? {} : destinationOf(channel, notification.recipient)),
    ...(notification.schema === undefined ? {} : { ticket: { kid: keyring.current.kid, nonce: newNonce() } }),
  };
  const size = Buffer.byteLength(JSON.stringify(sentOf(notification, head, itemsAsLong(plan), place)));
  if (size > CAPS.EVENT_MAX_BYTES) return { kind: "too_large" };
  const placed = await placeMedia(deps.media, plan, head.notification_id);
  if (!placed.ok) return { kind: "invalid", faults: placed.faults };
  const sent = sentOf(notification, head, placed.items, place);
  const stands = await deps.notifications.add(sent, trace);
  if (stands === sent) return sentAs(sent, false);
  // Somebody was quicker under this key, with bytes of its own; or it is this one, whose acknowledgement was lost.
  const shown = (stands.media ?? []).map(({ url }) => url);
  await deps.media.discard(placed.stored.filter((id) => !shown.some((url) => url.endsWith(id))));
  return repeatOf(stands, head);
}

/** Where it goes over a channel, and what makes the address of its form's page. */
type Place = Pick<NotificationSentData, "recipient" | "address" | "ticket">;

function mediumFaults(
  channel: Channel | undefined,
  notification: Notification,
  plan: MediaPlan,
  baseUrl: string | undefined,
): readonly FieldFault[] {
  if (channel === undefined) return [];
  if (baseUrl === undefined) {
    const message = "this needs a public address: set INTERACTIONS_PUBLIC_BASE_URL";
    return [{ path: "/channel", message }];
  }
  return notificationFaults(channel, notification, shownMedia(itemsAsLong(plan), baseUrl));
}

function sentOf(
  { message, channel, recipient, audience, options, schema, data, pages }: Notification,
  head: Head,
  media: NotificationSentData["media"],
  place: Place,
): NotificationSentData {
  return {
    ...head,
    message,
    ...(channel === undefined ? {} : { channel }),
    ...(recipient === undefined ? {} : { recipient }),
    ...place,
    ...(audience === undefined ? {} : { audience }),
    ...(options === undefined ? {} : { options: [...options] }),
    ...(schema === undefined ? {} : { schema }),
    ...(data === undefined ? {} : { data }),
    ...(pages === undefined
      ? {}
      : { pages: pages.map((page) => ({ ...page, properties: [...page.properties] })) }),
    ...(media === undefined ? {} : { media }),
  };
}
