import { optionToken, splitText } from "@interlude/channel-kit";
import { type AskOption, type MediaItem, optionLabel } from "@interlude/contract";
import type { JsonObject } from "@interlude/kernel";
import type {
  ActionsBlock,
  Button,
  ImageBlock,
  PlainTextElement,
  PlainTextOption,
  SectionBlock,
  StaticSelect,
} from "@slack/types";
import { LIMITS } from "./limits.ts";

/** Never Slack's markup: what the person sees is what was asked, `:smile:` and `*` included. */
export function plain(text: string) {
  return { type: "plain_text", text, emoji: false } as const satisfies PlainTextElement;
}

export function sections(text: string): JsonObject[] {
  return splitText(text, LIMITS.SECTION_MAX_CHARS).map(
    (part) => ({ type: "section", text: plain(part) }) as const satisfies SectionBlock,
  );
}

function button(text: string, id: string, value: string) {
  return { type: "button", text: plain(text), action_id: id, value } as const satisfies Button;
}

function linkElement(text: string, id: string, url: string) {
  return { type: "button", text: plain(text), action_id: id, url } as const satisfies Button;
}

export function linkButton(text: string, url: string): JsonObject {
  return {
    type: "actions",
    elements: [linkElement(text, "link", url)],
  } as const satisfies ActionsBlock;
}

/** What it is called, and a button that opens it: the address itself says little to a person. */
export function linkedMedia(item: MediaItem, place: number, open: string): JsonObject {
  const name = [item.filename, item.caption].filter((part) => part !== undefined).join("\n");
  return {
    type: "section",
    text: plain(name === "" ? item.url : name),
    accessory: linkElement(open, `media_${place}`, item.url),
  } as const satisfies SectionBlock;
}

export function imageBlock({ url, caption }: MediaItem): JsonObject {
  return {
    type: "image",
    image_url: url,
    alt_text: caption ?? "Image",
    ...(caption === undefined ? {} : { title: plain(caption) }),
  } as const satisfies ImageBlock;
}

export function buttons(reference: string, options: readonly AskOption[]): JsonObject {
  const elements = options.map((option, index) =>
    button(optionLabel(option), `option_${index}`, optionToken(reference, index)),
  );
  return { type: "actions", elements } as const satisfies ActionsBlock;
}

export function yesNo(reference: string, yes: string, no: string): JsonObject {
  return {
    type: "actions",
    elements: [
      button(yes, "yes", optionToken(reference, "yes")),
      button(no, "no", optionToken(reference, "no")),
    ],
  } as const satisfies ActionsBlock;
}

export function formButton(reference: string, text: string): JsonObject {
  const elements = [button(text, "form", optionToken(reference, "form"))];
  return { type: "actions", elements } as const satisfies ActionsBlock;
}

/** Its id is how a press of it is known. */
export const BACK = "back";

export function backButton(text: string): JsonObject {
  return {
    type: "actions",
    block_id: BACK,
    elements: [button(text, BACK, BACK)],
  } as const satisfies ActionsBlock;
}

export function menu(reference: string, options: readonly AskOption[], placeholder: string): JsonObject {
  const select = {
    type: "static_select",
    action_id: "option",
    placeholder: plain(placeholder),
    options: options.map(
      (option, index) =>
        ({
          text: plain(optionLabel(option)),
          value: optionToken(reference, index),
        }) satisfies PlainTextOption,
    ),
  } as const satisfies StaticSelect;
  return { type: "actions", elements: [select] } as const satisfies ActionsBlock;
}

/** Whether all of them can be read whole where Slack puts them. */
export function fits(options: readonly AskOption[], items: number, chars: number): boolean {
  return options.length <= items && options.every((option) => optionLabel(option).length <= chars);
}
