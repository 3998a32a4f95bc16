import type { Channel, NotificationContent, QuestionContent, QuestionFormat } from "@interlude/channel-kit";
import type { Ask, AskedData, FieldFault, MediaItem, Notification } from "@interlude/contract";
import { mediaPath } from "@interlude/event-log";
import { unreachable } from "@interlude/kernel";

/** The channels that this deployment has. */
export type ChannelChoice = {
  channels: ReadonlyMap<string, Channel>;
  /** Those whose configuration is not whole, with what is wrong. */
  misconfigured: ReadonlyMap<string, string>;
};

export type FoundChannel =
  { ok: true; channel: Channel | undefined } | { ok: false; faults: readonly FieldFault[] };

export function findChannel(name: string | undefined, choice: ChannelChoice): FoundChannel {
  if (name === undefined) return { ok: true, channel: undefined };
  const channel = choice.channels.get(name);
  if (channel !== undefined) return { ok: true, channel };
  const reason = choice.misconfigured.get(name);
  const quoted = JSON.stringify(name);
  const message =
    reason === undefined
      ? `channel: no channel named ${quoted} is registered`
      : `channel ${quoted} is not configured as a whole: ${reason}`;
  return { ok: false, faults: [{ path: "/channel", message }] };
}

/** What the medium cannot honour of the question: nothing that passes is cut or left out when it is sent. */
export function channelFaults(
  channel: Channel,
  ask: Ask,
  { media, linkUrl }: { media: readonly MediaItem[] | undefined; linkUrl: string | undefined },
): readonly FieldFault[] {
  const content: QuestionContent = {
    ...formatOf(ask, linkUrl),
    question: ask.question,
    ...(ask.recipient === undefined ? {} : { recipient: ask.recipient }),
    ...(media === undefined ? {} : { media }),
  };
  const faults = channel.check(content);
  return faults.length > 0 || ask.answer_format !== "form" ? faults : formFaults(channel, "/answer_format");
}

export function notificationFaults(
  channel: Channel,
  { message, recipient, schema }: Notification,
  media: readonly MediaItem[] | undefined,
): readonly FieldFault[] {
  const content: NotificationContent = {
    message,
    ...(recipient === undefined ? {} : { recipient }),
    ...(media === undefined ? {} : { media }),
    ...(schema === undefined ? {} : { schema }),
  };
  const faults = channel.checkNotification(content);
  return faults.length > 0 || schema === undefined ? faults : formFaults(channel, "/schema");
}

function formFaults({ name, capabilities }: Channel, path: string): FieldFault[] {
  if (capabilities.formDelivery !== "none") return [];
  return [{ path, message: `${path.slice(1)}: channel ${name} delivers no forms` }];
}

/** Where a question to nobody in particular goes, and which conversation it is part of. */
export function destinationOf(
  channel: Channel,
  given: string | undefined,
): { recipient: string; address: string } | undefined {
  const recipient = given ?? channel.defaultRecipient;
  return recipient === undefined ? undefined : { recipient, address: channel.address(recipient) };
}

/** Media as a provider will be shown it: what we serve, by its public address. */
export function shownMedia(
  items: AskedData["media"],
  baseUrl: string | undefined,
): readonly MediaItem[] | undefined {
  const prefix = mediaPath("");
  return items?.map(({ kind, url, caption, filename }) => ({
    ...{ kind, url: url.startsWith(prefix) ? `${baseUrl ?? ""}${url}` : url },
    ...(caption === undefined ? {} : { caption }),
    ...(filename === undefined ? {} : { filename }),
  }));
}

function formatOf(ask: Ask, linkUrl: string | undefined): QuestionFormat {
  switch (ask.answer_format) {
    case "text":
      return { format: "text", ...(ask.options === undefined ? {} : { options: ask.options }) };
    case "confirm":
      return { format: "confirm" };
    case "select":
      return { format: "select", options: ask.options };
    case "form":
      return {
        format: "form",
        schema: ask.schema,
        ...(ask.data === undefined ? {} : { data: ask.data }),
        ...(ask.pages === undefined ? {} : { pages: ask.pages }),
      };
    case "external":
      return { format: "external", ...(linkUrl === undefined ? {} : { linkUrl }) };
    default:
      return unreachable(ask);
  }
}
