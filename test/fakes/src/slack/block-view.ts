import type { ControlView } from "../core/chat-view.ts";
import type { Fields } from "../core/json.ts";
import type { SlackBlock } from "./blocks.ts";

/** What can be tapped, with what Slack tells of it. */
export type Control = ControlView & Readonly<{ value: string | undefined; action: Fields }>;

export function controlsOf(blocks: readonly SlackBlock[]): Control[] {
  return blocks.flatMap((block) => {
    const elements =
      block.type === "actions" ? block.elements : block.type === "section" ? [block.accessory] : [];
    return elements.flatMap((element, place): Control[] => {
      if (element === undefined || element.type === "image" || element.type === "datepicker") return [];
      const id = `${block.block_id ?? ""}:${element.action_id ?? place}`;
      const action = {
        block_id: block.block_id,
        action_id: element.action_id ?? String(place),
        type: element.type,
      };
      if (element.type === "button") {
        const { url, value, text } = element;
        const base = { id, label: text.text, value, action: { ...action, text, value } };
        return [url === undefined ? { ...base, kind: "tap" } : { ...base, kind: "link", url }];
      }
      return element.options.map((option) => ({
        id: `${id}:${option.value}`,
        label: option.text.text,
        kind: "tap",
        value: option.value,
        ...(element.type === "static_select" ? { list: element.placeholder?.text ?? "Choose" } : {}),
        action: { ...action, selected_option: option },
      }));
    });
  });
}

export function blockText(block: SlackBlock): string {
  if (block.type === "markdown") return block.text;
  if (block.type === "header") return block.text.text;
  if (block.type === "section") {
    return [block.text, ...(block.fields ?? [])].flatMap((each) => each?.text ?? []).join("\n");
  }
  if (block.type !== "context") return "";
  return block.elements.map((each) => (each.type === "image" ? "" : each.text)).join(" ");
}
