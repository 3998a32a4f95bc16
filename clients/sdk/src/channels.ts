import { call, type Session } from "./session.ts";
import {
  count,
  fieldsOf,
  flag,
  oneOf,
  optionalText,
  present,
  text,
  texts,
  unexpected,
} from "./wire/fields.ts";

const HEALTHS = ["ok", "failing", "misconfigured"] as const;

/** What a medium can do. */
export type ChannelCapabilities = Readonly<{
  formDelivery: "native" | "page" | "none";
  interactive: boolean;
  replyContext: boolean;
  media: readonly string[];
  /** The provider's limits, by name. */
  caps: Readonly<Record<string, number>>;
  idempotentSend: boolean;
}>;

/** A channel, and whether it works as far as the service has seen. */
export type ChannelStatus = Readonly<{
  name: string;
  health: Readonly<{ status: (typeof HEALTHS)[number]; reason?: string | undefined }>;
  /** Of one that is configured as a whole. */
  capabilities?: ChannelCapabilities | undefined;
}>;

function capabilitiesOf(value: unknown): ChannelCapabilities | undefined {
  if (value === undefined) return undefined;
  const fields = fieldsOf(value, "capabilities");
  const caps = fieldsOf(fields["caps"], "caps");
  return {
    formDelivery: oneOf(fields, "form_delivery", ["native", "page", "none"]),
    interactive: flag(fields, "interactive"),
    replyContext: flag(fields, "reply_context"),
    media: texts(fields, "media"),
    caps: Object.fromEntries(Object.keys(caps).map((name) => [name, count(caps, name)])),
    idempotentSend: flag(fields, "idempotent_send"),
  };
}

function channelOf(value: unknown): ChannelStatus {
  const fields = fieldsOf(value, "channel");
  const health = fieldsOf(fields["health"], "health");
  return present({
    name: text(fields, "name"),
    health: present({ status: oneOf(health, "status", HEALTHS), reason: optionalText(health, "reason") }),
    capabilities: capabilitiesOf(fields["capabilities"]),
  });
}

export async function listChannels(session: Session): Promise<readonly ChannelStatus[]> {
  const { body } = await call(session, { method: "GET", path: "api/channels" });
  if (!Array.isArray(body)) throw unexpected("the list of channels is no list");
  return body.map(channelOf);
}
