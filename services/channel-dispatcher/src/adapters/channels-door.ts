import type { Capabilities, Channel } from "@interlude/channel-kit";
import { json, type Route } from "@interlude/service-kit";
import type { ChannelHealth } from "../channel-health.ts";

type ChannelView = {
  name: string;
  capabilities?: Record<string, unknown>;
  health: ChannelHealth;
};

/** Every channel there is or should be, and whether it works as far as this process has seen. */
export function channelsDoor(
  channels: ReadonlyMap<string, Channel>,
  misconfigured: ReadonlyMap<string, string>,
  healthOf: (channel: string) => ChannelHealth,
): Route {
  return {
    door: "GET /api/channels",
    body: "none",
    handle() {
      const working = [...channels.values()].map(({ name, capabilities }): ChannelView => ({
        name,
        capabilities: capabilitiesView(capabilities),
        health: healthOf(name),
      }));
      const broken = [...misconfigured].map(([name, reason]): ChannelView => ({
        name,
        health: { status: "misconfigured", reason },
      }));
      return json(
        200,
        [...working, ...broken].sort((one, other) => (one.name < other.name ? -1 : 1)),
      );
    },
  };
}

function capabilitiesView(capabilities: Capabilities): Record<string, unknown> {
  const { formDelivery, interactive, replyContext, media, caps, idempotentSend } = capabilities;
  return {
    form_delivery: formDelivery,
    interactive,
    reply_context: replyContext,
    media,
    caps: Object.fromEntries(Object.entries(caps).map(([name, value]) => [name.toLowerCase(), value])),
    idempotent_send: idempotentSend,
  };
}
