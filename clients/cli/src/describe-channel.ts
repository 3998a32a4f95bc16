import type { ChannelStatus } from "@interlude/sdk";
import { safeLine } from "./safe-text.ts";

/** One line a channel: whether it works, and what of an answer it can carry. */
export function channelLine({ name, health, capabilities }: ChannelStatus): string {
  const head = `${health.status.padEnd(13)}  ${safeLine(name).padEnd(10)}`;
  if (health.reason !== undefined) return `${head}  ${safeLine(health.reason)}`;
  if (capabilities === undefined) return head.trimEnd();
  const { formDelivery, interactive, replyContext, media } = capabilities;
  const details = [
    interactive ? "buttons" : "no buttons",
    formDelivery === "none" ? "no forms" : `forms ${formDelivery === "native" ? "in the chat" : "as a page"}`,
    replyContext ? "any number of questions at a time" : "one question at a time",
    media.length === 0 ? "media as links" : `media: ${media.join(", ")}`,
  ];
  return `${head}  ${safeLine(details.join("; "))}`;
}
