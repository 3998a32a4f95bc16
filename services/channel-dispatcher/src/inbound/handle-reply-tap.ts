import type { Channel } from "@interlude/channel-kit";
import { type AskOption, boundedParams, optionLabel, optionValue } from "@interlude/contract";
import type { FromPerson } from "@interlude/domain";
import type { Utterance } from "../conversations/conversations.ts";
import type { HeldPartition } from "../ports.ts";
import { acknowledge } from "./acknowledge.ts";
import { findSent, type Sent } from "./find-sent.ts";
import type { InboundDeps } from "./inbound-work.ts";
import { type Place, readQuestions } from "./known-questions.ts";
import { sendWaiting } from "./send-waiting.ts";

type Tap = Extract<FromPerson, { kind: "tap" }>;
type Came = Readonly<{ tap: Tap; place: Place; notificationId: string; canWait: boolean }>;

/** A tap on a notification says its option in the conversation; it is to no question, whatever is open there. */
export async function handleReplyTap(
  deps: InboundDeps,
  held: HeldPartition,
  { tap, place, notificationId, canWait }: Came,
): Promise<"done" | "again"> {
  const { channel } = held;
  const found = await findSent(deps, channel, place, notificationId);
  if (found === "wait" && canWait) return "again";
  const ignored =
    found === undefined || found === "wait"
      ? "unknown_notification"
      : await say(deps, channel, { tap, place }, found);
  if (ignored !== undefined) deps.onIgnored(channel.name, ignored);
  await acknowledge(held, tap, undefined);
  const { known } = await readQuestions(deps, channel, place, undefined);
  await sendWaiting(held, tap.address, known);
  return "done";
}

/** Why it came to nothing; `undefined`: it did not. */
async function say(
  { talk }: InboundDeps,
  { name }: Channel,
  { tap, place: { saidAt } }: Pick<Came, "tap" | "place">,
  { sent, address }: Sent,
): Promise<string | undefined> {
  // It opens the form, which the door has done.
  if (tap.choice === "form") return undefined;
  const option = /^\d{1,3}$/.test(tap.choice) ? sent.options?.[Number(tap.choice)] : undefined;
  if (option === undefined) return "unknown_option";
  const said = utteranceOf(tap, option, { address, saidAt });
  return (await talk.enter(name, said)) === "entered" ? undefined : "no_route";
}

function utteranceOf(tap: Tap, option: AskOption, { address, saidAt }: Place): Utterance {
  const { updateId, from, atMs, isDirect, messageId } = tap;
  return {
    ...{ updateId, address, saidAt, from, text: optionLabel(option) },
    ...boundedParams({ reply_id: optionValue(option) }),
    ...(atMs === undefined ? {} : { atMs }),
    // Among several people it is told whom a reply is to.
    ...(isDirect === false ? { reply_to: messageId } : {}),
  };
}
