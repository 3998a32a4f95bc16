import type { Channel, InboundMedia } from "@interlude/channel-kit";
import type { FromPerson } from "@interlude/domain";
import type { Conversations, Utterance } from "../conversations/conversations.ts";
import type { Place } from "./known-questions.ts";

type Message = Extract<FromPerson, { kind: "message" }>;

/** Whether a route takes what a person did. Controls are of questions, and of nobody's route. */
export function isRouted(talk: Conversations, channel: Channel, said: FromPerson): boolean {
  return (
    said.kind === "message" &&
    hasContent(said) &&
    talk.isRouted(channel.name, { from: said.from, text: said.text ?? "" })
  );
}

/** A message as the conversation has it. */
export function utteranceOf(message: Message, { address, saidAt }: Place): Utterance {
  const { updateId, from, text = "", media, params, atMs, isDirect, messageId, replyTo } = message;
  return {
    ...{ updateId, address, saidAt, from, text },
    ...(media === undefined ? {} : { media: media.map(turnMedia) }),
    ...(params === undefined ? {} : { params }),
    ...(atMs === undefined ? {} : { atMs }),
    // Among several people it is told whom a reply is to.
    ...(isDirect ? {} : { reply_to: replyTo ?? messageId }),
  };
}

/** A form whose fields were all left empty says something: that it was sent. */
function hasContent({ text, media, ofForm }: Message): boolean {
  return ofForm === true || (text ?? "").trim() !== "" || (media ?? []).length > 0;
}

function turnMedia({ contentType, ...media }: InboundMedia) {
  return contentType === undefined ? media : { ...media, content_type: contentType };
}
