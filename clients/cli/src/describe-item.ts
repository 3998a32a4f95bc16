import type { Item } from "@interlude/sdk";
import { optionLabel, optionValue } from "./answer-value.ts";
import { safeJson, safeLine } from "./safe-text.ts";

const UNITS: readonly [number, string][] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
];

export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [size, unit] = UNITS.find(([each]) => seconds >= each) ?? [1, "s"];
  return `${Math.floor(seconds / size)} ${unit}`;
}

function standing(item: Item, nowMs: number): string {
  if (item.status !== "pending") return item.status;
  return `${duration(Date.parse(item.timeoutAt) - nowMs)} left`;
}

/** One line a question; its text is cut to what a line has room for. */
export function itemLine(item: Item, columns: number, nowMs: number): string {
  const head = [
    safeLine(item.interactionId),
    item.answerFormat.padEnd(8),
    standing(item, nowMs).padEnd(10),
  ].join("  ");
  return `${head}  ${safeLine(item.question, Math.max(20, columns - head.length - 2))}`;
}

/** Values from outside stand on lines of their own that begin with a mark of ours: none can pass for a field. */
function quoted(text: string): string {
  return text
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => `  | ${line}`)
    .join("\n");
}

function optionLines(item: Item): string[] {
  return (item.formatPayload.options ?? []).map((option, index) => {
    const [value, label] = [safeLine(optionValue(option)), safeLine(optionLabel(option))];
    return `  ${index + 1}. ${label}${value === label ? "" : ` (${value})`}`;
  });
}

function field(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${name}: ${safeLine(value)}`];
}

export function itemText(item: Item): string {
  const { schema, url } = item.formatPayload;
  return [
    quoted(item.question),
    ...optionLines(item),
    ...(schema === undefined ? [] : [quoted(safeJson(schema, 2))]),
    ...field("link", url),
    ...(item.media ?? []).flatMap((media) => field(media.kind, `${media.url} ${media.caption ?? ""}`)),
    ...field("id", item.interactionId),
    ...field("format", item.answerFormat),
    ...field("status", item.status),
    ...field("asked by", item.asker),
    ...field("asked at", item.createdAt),
    ...field("deadline", item.timeoutAt),
    ...field("audience", item.audience),
    ...field("channel", item.channel),
    ...field("recipient", item.recipient),
    ...field("delivery", item.delivery?.state),
    ...field("answered by", item.answeredBy),
    ...field("ended at", item.resolvedAt),
    ...(item.sensitive ? ["sensitive: its answer is shown to nobody but its asker"] : []),
    ...(item.answer === undefined ? [] : ["answer:", quoted(answerText(item.answer))]),
  ].join("\n");
}

/** A text as it is, anything else as JSON. */
export function answerText(answer: unknown): string {
  return typeof answer === "string" ? answer : safeJson(answer, typeof answer === "object" ? 2 : undefined);
}
