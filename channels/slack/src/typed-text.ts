/** Schemes that Slack puts before what a person typed without one. */
const ADDED = /^(?:https?:\/\/|mailto:|tel:)/;

/** One `<…>` of Slack's markup as the person typed or saw it. */
function undo(inside: string): string {
  const bar = inside.indexOf("|");
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? "" : inside.slice(bar + 1);
  if (target.startsWith("@")) return label === "" ? `<${target}>` : `@${label.replace(/^@/, "")}`;
  if (target.startsWith("#")) return label === "" ? `<${target}>` : `#${label}`;
  if (target.startsWith("!")) return label === "" ? `@${target.slice(1)}` : label;
  if (label === "" || label === target) return target;
  // A link under other words: both are what the person meant to say.
  return target.replace(ADDED, "") === label ? label : `${label} (${target})`;
}

/** Slack's markup for addresses, mentions and entities undone; `*` and the like are what was typed. */
export function typedText(text: string): string {
  return text
    .replace(/<([^<>]+)>/g, (_, inside: string) => undo(inside))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
