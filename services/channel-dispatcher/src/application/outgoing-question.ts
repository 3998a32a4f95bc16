import {
  type Channel,
  chatMessages,
  type OutgoingQuestion,
  type QuestionEnd,
  type QuestionFormat,
  referenceOf,
} from "@interlude/channel-kit";
import {
  type AskedData,
  type AskOption,
  type FormData,
  type MediaItem,
  optionLabel,
  optionValue,
  servedMediaId,
} from "@interlude/contract";
import { deadlineMs, type KnownInteraction } from "@interlude/domain";
import { mediaPath } from "@interlude/event-log";
import { isJsonObject, ServiceFailure } from "@interlude/kernel";
import { callbackUrl, type CallbackLinks, externalLink } from "@interlude/service-kit";
import { z } from "zod";

const Choice = z.object({ value: z.string(), label: z.string().exactOptional() });
/** Per-send data of a form, as the asker's body was checked before it was stored. */
export const StoredFormData: z.ZodType<FormData> = z.object({
  values: z.record(z.string(), z.json()).exactOptional(),
  options: z.record(z.string(), z.array(Choice)).exactOptional(),
});

/** Where a person is asked: the ask's recipient as it was given, or the channel's own. */
export function recipientOf(channel: Channel, asked: { recipient?: string | undefined }): string {
  const recipient = asked.recipient ?? channel.defaultRecipient;
  if (recipient !== undefined) return recipient;
  const message = `channel ${channel.name} has no default recipient any more`;
  throw new ServiceFailure("configuration_invalid", { retry: "never", message });
}

/** The question as a channel renders it: with every link absolute and filled. */
export function outgoingQuestion(
  channel: Channel,
  links: CallbackLinks & { baseUrl: string },
  asked: AskedData,
): OutgoingQuestion {
  const { interaction_id: id, ticket } = asked;
  const media = absoluteMedia(asked.media, links.baseUrl);
  return {
    ...formatOf(asked, links),
    reference: referenceOf(id),
    recipient: recipientOf(channel, asked),
    question: asked.question,
    ...(media === undefined ? {} : { media }),
    pageUrl: ticket === undefined ? "" : callbackUrl(links, id, ticket),
    deadlineMs: deadlineMs(asked),
  };
}

/** Media that we serve is stored as a path; a provider needs to know where. */
export function absoluteMedia(media: AskedData["media"], baseUrl: string): readonly MediaItem[] | undefined {
  return media?.map(({ kind, url, caption, filename }) => {
    const id = servedMediaId(url, baseUrl);
    return {
      kind,
      url: id === undefined ? url : `${baseUrl}${mediaPath(id)}`,
      ...(caption === undefined ? {} : { caption }),
      ...(filename === undefined ? {} : { filename }),
    };
  });
}

function formatOf(asked: AskedData, links: CallbackLinks): QuestionFormat {
  const { options, schema, data, pages } = asked.format_payload;
  switch (asked.answer_format) {
    case "text":
      return { format: "text", ...(options === undefined ? {} : { options }) };
    case "confirm":
      return { format: "confirm" };
    case "select":
      return { format: "select", options: options ?? [] };
    case "form":
      return {
        format: "form",
        schema: schema !== undefined && isJsonObject(schema) ? schema : {},
        ...(data === undefined ? {} : { data: StoredFormData.parse(data) }),
        ...(pages === undefined ? {} : { pages }),
      };
    case "external": {
      const linkUrl = asked.link === undefined ? undefined : externalLink(links, asked);
      return { format: "external", ...(linkUrl === undefined ? {} : { linkUrl }) };
    }
  }
}

/** How it ended, as far as the person may be shown; `undefined` while it is open. */
export function questionEnd(state: KnownInteraction, language: string): QuestionEnd | undefined {
  if (state.status === "pending") return undefined;
  if (state.status !== "answered" || state.asked.sensitive) return { status: state.status };
  const answer = readableAnswer(state.asked, state.answered.answer, language);
  return { status: "answered", ...(answer === undefined ? {} : { answer }) };
}

function readableAnswer(asked: AskedData, answer: unknown, language: string): string | undefined {
  switch (asked.answer_format) {
    case "confirm": {
      const say = chatMessages(language);
      return answer === true ? say.yes : say.no;
    }
    case "select":
      return typeof answer === "string" ? labelOf(asked.format_payload.options ?? [], answer) : undefined;
    case "text":
      return typeof answer === "string" ? answer : undefined;
    case "form":
    case "external":
      return undefined;
  }
}

function labelOf(options: readonly AskOption[], value: string): string {
  const option = options.find((each) => optionValue(each) === value);
  return option === undefined ? value : optionLabel(option);
}
