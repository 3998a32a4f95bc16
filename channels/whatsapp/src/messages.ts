import { optionToken, type ProviderRequest, splitText } from "@interlude/channel-kit";
import { type AskOption, hasControl, type MediaItem, optionLabel } from "@interlude/contract";
import type { JsonObject } from "@interlude/kernel";
import { digitsOf } from "./address.ts";
import { LIMITS } from "./limits.ts";

/** One message to a number. */
export function message(to: string, content: JsonObject, replyTo?: string): ProviderRequest {
  return {
    method: "messages",
    body: {
      messaging_product: "whatsapp",
      recipient_type: "individual",
      to: digitsOf(to),
      ...(replyTo === undefined ? {} : { context: { message_id: replyTo } }),
      ...content,
    },
  };
}

export function texts(to: string, text: string, replyTo?: string): ProviderRequest[] {
  return splitText(text, LIMITS.TEXT_MAX_CHARS).map((body) =>
    message(to, { type: "text", text: { body } }, replyTo),
  );
}

/** A text of any length, the last part of which stands above controls. */
export function textsWith(to: string, text: string, interactive: JsonObject): ProviderRequest[] {
  const parts = splitText(text, LIMITS.TEXT_MAX_CHARS, LIMITS.INTERACTIVE_BODY_MAX_CHARS);
  const last = parts.pop() ?? "";
  return [
    ...parts.map((body) => message(to, { type: "text", text: { body } })),
    message(to, { type: "interactive", interactive: { ...interactive, body: { text: last } } }),
  ];
}

function fit(labels: readonly string[], max: number, chars: number): boolean {
  return labels.length <= max && labels.every((label) => label.length <= chars && !hasControl(label));
}

const replyButton = (id: string, title: string): JsonObject => ({ type: "reply", reply: { id, title } });

/** Options as what can be tapped; undefined where they are too many or too long for it. */
export function tappable(
  reference: string,
  options: readonly AskOption[],
  choose: string,
): { shape: "buttons" | "list"; interactive: JsonObject } | undefined {
  // The edges of a title may not be blank; options that differ in nothing else were refused when asked.
  const labels = options.map((option) => optionLabel(option).trim());
  if (fit(labels, LIMITS.BUTTONS_MAX_ITEMS, LIMITS.BUTTON_TITLE_MAX_CHARS)) {
    const buttons = labels.map((label, index) => replyButton(optionToken(reference, index), label));
    return { shape: "buttons", interactive: { type: "button", action: { buttons } } };
  }
  if (!fit(labels, LIMITS.LIST_ROWS_MAX_ITEMS, LIMITS.ROW_TITLE_MAX_CHARS)) return undefined;
  const rows = labels.map((title, index) => ({ id: optionToken(reference, index), title }));
  return { shape: "list", interactive: { type: "list", action: { button: choose, sections: [{ rows }] } } };
}

export function yesNo(reference: string, yes: string, no: string): JsonObject {
  const buttons = [
    replyButton(optionToken(reference, "yes"), yes),
    replyButton(optionToken(reference, "no"), no),
  ];
  return { type: "button", action: { buttons } };
}

export function linkButton(title: string, url: string): JsonObject {
  return { type: "cta_url", action: { name: "cta_url", parameters: { display_text: title, url } } };
}

/** One item as itself; words that it cannot carry follow it. */
export function mediaMessages(to: string, { kind, url, caption, filename }: MediaItem): ProviderRequest[] {
  const isCarried = kind !== "audio" && (caption?.length ?? 0) <= LIMITS.CAPTION_MAX_CHARS;
  const media = {
    link: url,
    ...(caption !== undefined && isCarried ? { caption } : {}),
    ...(filename === undefined ? {} : { filename }),
  };
  const own = message(to, { type: kind, [kind]: media });
  return caption === undefined || isCarried ? [own] : [own, ...texts(to, caption)];
}
