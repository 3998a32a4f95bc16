import { type AskedData, isDeliveryEvent, itemQuestion } from "@interlude/contract";
import { type Actor, authorize, type Belonging, deliveryView } from "@interlude/domain";
import type { StoredEntry } from "@interlude/event-log";
import { type CallbackLinks, externalLink } from "@interlude/service-kit";

/** One event as stream clients get it: made once, sent to all who may see it. */
export type Frame = {
  sequence: number;
  belonging: Belonging;
  /** For readers who may see the question; and for those who may answer an external one, with its link. */
  plain: Buffer;
  withLink: Buffer | undefined;
};

/** `undefined` for events that are not the stream's business. */
export function frameOf(stored: StoredEntry, links: CallbackLinks): Frame | undefined {
  const { entry, sequence } = stored;
  if ("unknownType" in entry || isDeliveryEvent(entry)) return undefined;
  if (entry.type === "asked") return addFrame(sequence, entry.data, links);
  const { interaction_id, group_id, at } = entry.data;
  const answered = entry.type === "answered" ? { answered_by: entry.data.answered_by } : {};
  const name = entry.type === "answered" ? "interaction.answered" : "interaction.removed";
  const body = { interaction_id, group_id, status: entry.type, at, ...answered };
  return { sequence, belonging: entry.data, plain: render(name, sequence, body), withLink: undefined };
}

function addFrame(sequence: number, asked: AskedData, links: CallbackLinks): Frame {
  const delivery = asked.channel === undefined ? {} : { delivery: deliveryView() };
  const item = { ...itemQuestion(asked), status: "pending", ...delivery, sequence };
  const url = asked.answer_format === "external" ? externalLink(links, asked) : undefined;
  const linked = { ...item, format_payload: { ...item.format_payload, url } };
  return {
    sequence,
    belonging: asked,
    plain: render("interaction.add", sequence, item),
    withLink: url === undefined ? undefined : render("interaction.add", sequence, linked),
  };
}

/** JSON holds no raw line break, so that no text of a question can end a frame or begin another. */
function render(event: string, sequence: number, data: unknown): Buffer {
  return Buffer.from(`event: ${event}\nid: ${sequence}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** The rendering this reader gets; `undefined` when for them the question does not exist. */
export function frameFor(frame: Frame, reader: Actor): Buffer | undefined {
  if (authorize(reader, "see", frame.belonging) !== "allowed") return undefined;
  if (frame.withLink === undefined) return frame.plain;
  return authorize(reader, "answer", frame.belonging) === "allowed" ? frame.withLink : frame.plain;
}
